import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#web/engines/loaded.tsx'
import { LOADING } from './loading.tsx'
import classes from './preview.module.css'
import { readBytes, type ShownFile } from './shown-file.ts'

/** UTF-16 by its mark, UTF-8, or else the usual encoding of Windows, which every file can be read in. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export function TextPreview({ file }: { file: ShownFile }) {
  const query = useQuery({
    queryKey: ['file-content', file.key],
    queryFn: async ({ signal }) => decodeText(await readBytes(file, signal)),
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Loaded query={query} skeleton={LOADING} failure="The text could not be read. Download the document to see it.">
      {(text) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled area must be reachable by keyboard
        <pre className={classes['text']} tabIndex={0}>
          {text}
        </pre>
      )}
    </Loaded>
  )
}
