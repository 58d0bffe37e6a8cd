import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { describeFailure } from '../loaded.tsx'
import type { List } from './list.ts'

export const NOTHING_FOUND = "Oops! We couldn't find anything with that search, try something else?"
export const NOTHING_THERE = "Oops! Looks like we can't find any data here, try adding a new record?"

/** Replaces the rows when there are none to show. */
export function TableMessage({ list: { failure, loading, rows, narrowed, retry }, empty }: { list: List; empty: ReactNode }) {
  if (failure === null && (loading || rows.length > 0)) return null
  const message = narrowed ? NOTHING_FOUND : (empty ?? NOTHING_THERE)
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
      {failure === null ? message : <Failure {...describeFailure(failure, 'This list could not be loaded')} onRetry={retry} />}
    </Stack>
  )
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
