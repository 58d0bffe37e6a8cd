import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { describeFailure } from '../loaded.tsx'
import type { List } from './list.ts'

export const NOTHING_FOUND = "Oops! We couldn't find anything with that search, try something else?"
export const NOTHING_THERE = "Oops! Looks like we can't find any data here, try adding a new record?"

interface TableMessageProps {
  list: List
  empty?: ReactNode
  nothingFound?: string | undefined
}

/** Replaces the rows when there are none to show. */
export function TableMessage({ list, empty, nothingFound = NOTHING_FOUND }: TableMessageProps) {
  const { failure, loading, rows, narrowed, retry } = list
  if (failure === null && (loading || rows.length > 0)) return null
  const message = narrowed ? nothingFound : (empty ?? NOTHING_THERE)
  return (
    <Stack
      pos="sticky"
      left={0}
      mih={280}
      px={16}
      py={32}
      gap={12}
      align="center"
      justify="center"
      c="var(--muted)"
      fz={15}
      ta="center"
      role={failure === null ? undefined : 'alert'}
    >
      {failure === null ? message : <Failure {...describe(list, failure)} onRetry={retry} />}
    </Stack>
  )
}

/** A saved view or a link can have filters that the user may not use; without them, they see the list. */
function describe({ rights, usedFilters }: List, failure: Error) {
  const isDenied = isApiError(failure) && failure.kind === 'forbidden' && !rights.filters && usedFilters.length > 0
  return isDenied
    ? { title: messageOf(failure), text: 'Clear the filter to see the list.', canRetry: false }
    : describeFailure(failure, 'This list could not be loaded')
}

const Failure = ({ title, text, canRetry, onRetry }: ReturnType<typeof describeFailure> & { onRetry: () => void }) => (
  <>
    <Text fw={600}>{title}</Text>
    <Text>{text}</Text>
    {canRetry && (
      <Button variant="default" onClick={onRetry}>
        Retry
      </Button>
    )}
  </>
)
