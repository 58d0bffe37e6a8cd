import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'
import { TEXT_PREVIEW_MAX_BYTES } from '#contract/limits.ts'
import { NoPreview } from './no-preview.tsx'
import classes from './preview.module.css'
import { previewKind } from './preview-kind.ts'
import type { ShownFile } from './shown-file.ts'
import { TextPreview } from './text-preview.tsx'

export const LOADING = <Skeleton className={classes['box']} role="status" aria-label="Loading the preview" />

type Preview = ComponentType<{ file: ShownFile }>

const PdfPreview = lazy(() => import('./pdf-preview.tsx').then(({ PdfPreview: component }) => ({ default: component })))
const SheetTabs: Preview = lazy(() => import('./sheet-preview.tsx').then(({ SheetTabs: component }) => ({ default: component })))
const WordPreview: Preview = lazy(() => import('./word-preview.tsx').then(({ WordPreview: component }) => ({ default: component })))
const EmailPreview: Preview = lazy(() => import('./email-preview.tsx').then(({ EmailPreview: component }) => ({ default: component })))

/** Shows a file by its kind. Libraries of a kind are loaded with the first file of it. */
export function ContentPreview({ file }: { file: ShownFile }) {
  return <Suspense fallback={LOADING}>{previewOf(file)}</Suspense>
}

function previewOf(file: ShownFile) {
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
      if (file.size > TEXT_PREVIEW_MAX_BYTES) return <NoPreview download={download} reason="This text is too long to show here." />
      return <TextPreview file={file} />
    case 'none':
      return <NoPreview download={download} reason="This kind of file has no preview." />
  }
}

function ImagePreview({ file: { content, name, download } }: { file: ShownFile }) {
  const url = useContentUrl(content)
  const [hasFailed, setHasFailed] = useState(false)
  if (hasFailed) return <NoPreview download={download} reason="This picture is damaged or too large to show here." />
  return url && <img className={classes['image']} src={url} alt={name} onError={() => setHasFailed(true)} />
}

/** The address of a stored file, or a temporary one of bytes in memory. */
function useContentUrl(content: ShownFile['content']): string | undefined {
  const [local, setLocal] = useState<string>()
  const blob = content.kind === 'local' ? content.blob : undefined
  useEffect(() => {
    if (blob === undefined) return undefined
    const url = URL.createObjectURL(blob)
    setLocal(url)
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return content.kind === 'stored' ? content.url : local
}
