import { Button } from '@mantine/core'
import { messageOf } from '#web/data/errors.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

interface LoadErrorProps {
  title: string
  query: { error: unknown; refetch: () => unknown }
}

/** Takes the place of data that could not be loaded: the reason, and a button that retries the query. */
export function LoadError({ title, query }: LoadErrorProps) {
  return (
    <div role="alert">
      <EmptyState title={title} action={<Button onClick={() => void query.refetch()}>Retry</Button>}>
        {messageOf(query.error)}
      </EmptyState>
    </div>
  )
}
