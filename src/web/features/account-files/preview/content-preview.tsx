import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TEXT_PREVIEW_MAX_BYTES } from '#contract/reading-limits.ts'
import { previewKind } from '#contract/preview-kind.ts'
import { notShown } from '#contract/unreadable.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { LOADING } from './loading.tsx'
import { NoPreview } from './no-preview.tsx'
import classes from './preview.module.css'
import type { ShownFile } from './shown-file.ts'
import { TextPreview } from './text-preview.tsx'

const PdfPreview = lazyPart(async () => (await import('./pdf-preview.tsx')).PdfPreview, { fallback: LOADING })
const SheetTabs = lazyPart(async () => (await import('./sheet-preview.tsx')).SheetTabs, { fallback: LOADING })
const WordPreview = lazyPart(async () => (await import('./word-preview.tsx')).WordPreview, { fallback: LOADING })
const EmailPreview = lazyPart(async () => (await import('./email-preview.tsx')).EmailPreview, { fallback: LOADING })

/** Shows a file by its kind. Libraries of a kind are loaded with the first file of it. */
export function ContentPreview({ file }: { file: ShownFile }) {
  const { content, download } = file
  if (file.size === 0) return <NoPreview download={download} reason="This file is empty." />
  switch (previewKind(file.type, file.name)) {
    case 'pdf':
      return <PdfPreview file={file} />
    case 'image':
      return <ImagePreview file={file} />
    case 'sheet':
      if (content.kind === 'stored') return <SheetTabs file={file} />
      return <NoPreview download={download} reason="Add this table to the account to see it here." />
    case 'word':
      return <WordPreview file={file} />
    case 'email':
      return <EmailPreview file={file} />
    case 'text':
      if (file.size > TEXT_PREVIEW_MAX_BYTES) return <NoPreview download={download} reason={notShown('too_large')} />
      return <TextPreview file={file} />
    case 'none':
      return <NoPreview download={download} reason={notShown('not_supported')} />
  }
}

function ImagePreview({ file }: { file: ShownFile }) {
  const { content, key, name, download } = file
  const [hasFailed, setHasFailed] = useState(false)
  const query = useQuery({
    queryKey: ['file-content', key, 'address'],
    queryFn: () => toDataUrl(content.kind === 'local' ? content.blob : new Blob()),
    enabled: content.kind === 'local',
    staleTime: Infinity,
    retry: false,
  })
  const address = content.kind === 'stored' ? content.url : query.data
  if (hasFailed || query.isError) return <NoPreview download={download} reason="This picture is damaged or too large to show here." />
  if (address === undefined) return LOADING
  return <img className={classes['image']} src={address} alt={name} onError={() => setHasFailed(true)} />
}

const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('loadend', () =>
      typeof reader.result === 'string' ? resolve(reader.result) : reject(new Error('The picture could not be read.')),
    )
    reader.readAsDataURL(blob)
  })
