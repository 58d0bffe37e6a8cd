import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { documentName, fileCalls, type AccountFile } from '#contract/account-files.ts'
import { DOWNLOAD_LINK_LIFE_MS, TEXT_PREVIEW_MAX_BYTES } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { downloadFile } from './file-commands.ts'
import classes from './file.panel.module.css'

const PdfPreview = lazy(() => import('./pdf-preview.tsx').then(({ PdfPreview: component }) => ({ default: component })))

const loading = <Skeleton className={classes['box']} role="status" aria-label="Loading the preview" />

/** Shows the document where the browser can: PDF from the given page, images and text. Other types offer the download. */
export function FilePreview({ file, page = 1 }: { file: AccountFile; page?: number }) {
  const can = useCan()
  const allowed = can('preview_files') && file.accessible_features.preview
  // A preview that is opened again gets a new link, because links are valid for a minute.
  const query = useQuery({
    ...queries.filePreview(file.account_id, file.id),
    enabled: allowed,
    staleTime: DOWNLOAD_LINK_LIFE_MS / 2,
    gcTime: DOWNLOAD_LINK_LIFE_MS / 2,
    refetchOnWindowFocus: false,
  })
  if (!allowed) return <NoPreview file={file} reason="You don't have permission to preview this document." />
  return (
    <Loaded query={query} skeleton={loading} failure="The preview could not be loaded.">
      {({ url, type, previewable }) => {
        if (!previewable) return <NoPreview file={file} reason="This kind of file has no preview." />
        const { size } = file.file
        if (type === 'application/pdf') {
          if (size === null) return <NoPreview file={file} reason="This PDF cannot be shown here." />
          return (
            <Suspense fallback={loading}>
              <PdfPreview
                url={url}
                size={size}
                firstPage={page}
                renew={async () => (await api(fileCalls.preview, { params: { id: file.account_id, file_id: file.id } })).data.url}
                onFailure={<NoPreview file={file} reason="This PDF cannot be shown here." />}
              />
            </Suspense>
          )
        }
        if (type.startsWith('image/')) return <img className={classes['image']} src={url} alt={documentName(file)} />
        if ((size ?? 0) > TEXT_PREVIEW_MAX_BYTES) return <NoPreview file={file} reason="This text is too long to show here." />
        return <TextPreview fileId={file.id} url={url} />
      }}
    </Loaded>
  )
}

function NoPreview({ file, reason }: { file: AccountFile; reason: string }) {
  return (
    <Stack className={classes['box']} align="center" justify="center" gap="sm">
      <Text c="dimmed">{reason}</Text>
      {file.accessible_features.download && (
        <Button variant="default" onClick={() => void downloadFile(file)}>
          Download it instead
        </Button>
      )}
    </Stack>
  )
}

/** The link carries its own permission, so the text is fetched without the session. */
function TextPreview({ fileId, url }: { fileId: string; url: string }) {
  const query = useQuery({
    queryKey: ['file-text', fileId],
    queryFn: async ({ signal }) => {
      const response = await fetch(url, { signal, credentials: 'omit' })
      if (!response.ok) throw new Error('The text could not be read.')
      return response.text()
    },
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Loaded query={query} skeleton={loading} failure="The text could not be read. Download the document to see it.">
      {(text) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled area must be reachable by keyboard
        <pre className={classes['text']} tabIndex={0}>
          {text}
        </pre>
      )}
    </Loaded>
  )
}
