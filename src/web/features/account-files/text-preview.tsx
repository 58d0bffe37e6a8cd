import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import classes from './file-preview.module.css'

/** The words of a text file. The link carries its own permission, so it is fetched without the session. */
export function TextPreview({ fileId, url }: { fileId: string; url: string }) {
  const query = useQuery({
    queryKey: ['file-text', fileId],
    queryFn: async ({ signal }) => {
      const answer = await fetch(url, { signal, credentials: 'omit' })
      if (!answer.ok) throw new Error('The text could not be read.')
      return answer.text()
    },
    staleTime: Infinity,
    retry: false,
  })
  if (query.isError) return <Text role="alert">The text could not be read. Download the document to see it.</Text>
  if (query.data === undefined) return <Skeleton className={classes['box']} aria-label="Loading the text" />
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled area must be reachable by keyboard
    <pre className={classes['text']} tabIndex={0}>
      {query.data}
    </pre>
  )
}
