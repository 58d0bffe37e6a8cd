import { NumberInput, Skeleton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useEffect, useState } from 'react'
import { Document, Page, pdfjs } from 'react-pdf'
import { notShown } from '#contract/unreadable.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ScrollRegion } from '#web/ui/scroll-region.tsx'
import { NoPreview } from './no-preview.tsx'
import { PdfParts } from './pdf-parts.ts'
import classes from './preview.module.css'
import type { ShownFile } from './shown-file.ts'

pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).toString()

const OPTIONS = { disableStream: true, disableAutoFetch: true, rangeChunkSize: 256 * 1024 } as const

const REASONS = {
  encrypted: notShown('encrypted'),
  damaged: notShown('damaged'),
  unreachable: 'This PDF could not be loaded. Try again, or download it.',
} as const
type Problem = keyof typeof REASONS

/** A PDF, one page at a time from the given one, without its scripts, forms and links. Each page of a stored PDF is fetched when it is opened. */
export function PdfPreview({ file: { content, size, download, page: firstPage = 1 } }: { file: ShownFile }) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [page, setPage] = useState(firstPage)
  const [pages, setPages] = useState(0)
  const [problem, setProblem] = useState<Problem | null>(null)
  // A renewed link points to the same document, which must not be loaded again.
  const [source] = useState(() =>
    content.kind === 'local'
      ? content.blob
      : { range: new PdfParts({ size, url: content.url, renew: content.renew, onFailure: () => setProblem('unreachable') }) },
  )
  useEffect(() => () => void ('range' in source && source.range.abort()), [source])
  const loading = <Skeleton className={classes['box']} role="status" aria-label="Loading the pages" />
  if (problem !== null) return <NoPreview download={download} reason={REASONS[problem]} />
  const failure = <NoPreview download={download} reason={REASONS.damaged} />
  const states = { suspense: false, loading, error: failure, noData: failure } as const
  return (
    <div>
      <ScrollRegion ref={ref} className={classes['pdf']} label="Preview">
        <Document
          {...states}
          file={source}
          options={OPTIONS}
          onPassword={() => setProblem('encrypted')}
          onLoadSuccess={({ numPages }) => {
            setPages(numPages)
            setPage((first) => Math.min(first, numPages))
          }}
        >
          {width > 0 && pages > 0 && (
            <Page {...states} pageNumber={page} width={width} renderTextLayer={false} renderAnnotationLayer={false} />
          )}
        </Document>
      </ScrollRegion>
      {pages > 1 && <PageSteps page={page} pages={pages} onGo={setPage} />}
    </div>
  )
}

/** Fewer pages are reached with the buttons. */
const PAGE_INPUT_ABOVE = 5

function PageSteps({ page, pages, onGo }: { page: number; pages: number; onGo: (page: number) => void }) {
  return (
    <nav className={classes['pages']} aria-label="Pages of the document">
      <IconButton name="Previous page" disabled={page === 1} onClick={() => onGo(page - 1)}>
        <IconChevronLeft size={18} />
      </IconButton>
      <span role="status">
        Page {page} of {pages}
      </span>
      <IconButton name="Next page" disabled={page === pages} onClick={() => onGo(page + 1)}>
        <IconChevronRight size={18} />
      </IconButton>
      {pages > PAGE_INPUT_ABOVE && (
        <NumberInput
          className={classes['pageInput'] ?? ''}
          size="xs"
          aria-label="Go to page"
          placeholder="Go to"
          min={1}
          max={pages}
          allowDecimal={false}
          hideControls
          onChange={(value) => typeof value === 'number' && value >= 1 && value <= pages && onGo(value)}
        />
      )}
    </nav>
  )
}
