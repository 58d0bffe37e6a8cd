import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { messageOf } from '#web/data/errors.ts'
import classes from './table.module.css'

export const NOTHING_FOUND = "Oops! We couldn't find anything with that search, try something else?"
export const NOTHING_THERE = "Oops! Looks like we can't find any data here, try adding a new record?"

interface MessageParts {
  rows: readonly unknown[]
  data: { rows: readonly unknown[] | undefined; error: unknown; retry: () => void }
  narrowed: boolean
}

/** What stands in the table when there are no rows to show. */
export function tableMessage({ rows, data, narrowed }: MessageParts, empty: ReactNode): ReactNode {
  if (data.rows === undefined) {
    if (data.error === null) return null
    return (
      <div className={classes['message']} role="alert">
        <Text fw={600}>This list could not be loaded</Text>
        <Text>{messageOf(data.error)}</Text>
        <Button variant="default" onClick={data.retry}>
          Retry
        </Button>
      </div>
    )
  }
  if (rows.length > 0) return null
  return <div className={classes['message']}>{narrowed ? NOTHING_FOUND : (empty ?? NOTHING_THERE)}</div>
}
