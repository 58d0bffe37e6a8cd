import { Button, Text } from '@mantine/core'
import { skipToken, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { messageOf } from '#web/data/errors.ts'
import type { DeletedContents, Deletion } from '#web/data/models.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { Prompt } from './row-commands.ts'

type ContentsQuery = UseQueryOptions<DeletedContents, Error, DeletedContents, (string | Deletion)[]>
const NO_QUERY: ContentsQuery = { queryKey: ['contents'], queryFn: skipToken }

/** What is deleted with the rows of a prompt, and whether they can be deleted: not before the user has seen it. */
export function useDeletedContents(contents: Prompt['contents']) {
  const { data, error, isFetching, refetch } = useQuery(contents ?? NO_QUERY)
  if (contents === undefined) return { text: null, canDelete: true }
  if (isFetching) return { text: <Text c="dimmed">Counting what is deleted with it…</Text>, canDelete: false }
  if (data === undefined) {
    const retry = (
      <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
        Retry
      </Button>
    )
    const failure = (
      <Notice kind="error" title="What is deleted with it could not be counted">
        {messageOf(error)} {retry}
      </Notice>
    )
    return { text: failure, canDelete: false }
  }
  const { text, canDelete } = data
  return { text: canDelete ? <Text>{text}</Text> : <Notice kind="warning">{text}</Notice>, canDelete }
}
