import { Skeleton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useState, type ReactNode } from 'react'
import { Document, Page, pdfjs } from 'react-pdf'
import { createRangeReader } from './pdf-ranges.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ScrollRegion } from '#web/ui/scroll-region.tsx'
import classes from './file.panel.module.css'

pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).toString()

const OPTIONS = { disableStream: true, disableAutoFetch: true, rangeChunkSize: 256 * 1024 } as const

/** The parts of a document that pdf.js requests. It has no way to report a part that cannot be fetched, so this calls `onFailure`. */
class PdfParts extends pdfjs.PDFDataRangeTransport {
  readonly #read: ReturnType<typeof createRangeReader>
  readonly #onFailure: () => void

  constructor(size: number, read: ReturnType<typeof createRangeReader>, onFailure: () => void) {
    super(size, null)
    this.#read = read
    this.#onFailure = onFailure
  }

  override requestDataRange(begin: number, end: number): void {
    this.#read(begin, end).then(
      (bytes) => this.onDataRange(begin, bytes),
      () => this.#onFailure(),
    )
  }
}

interface Props {
  url: string
  /** Bytes. */
  size: number
  /** The page that is shown first, from 1. */
  firstPage: number
  /** Returns a new link to the same document. */
  renew: () => Promise<string>
  onFailure: ReactNode
}

/** A PDF, one page at a time. Each page is fetched when it is opened. */
export function PdfPreview({ url, size, firstPage, renew, onFailure }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [page, setPage] = useState(firstPage)
  const [pages, setPages] = useState(0)
  const [hasFailed, setHasFailed] = useState(false)
  // A renewed link points to the same document, which must not be loaded again.
  const [source] = useState(() => ({ range: new PdfParts(size, createRangeReader(url, renew), () => setHasFailed(true)) }))
  const loading = <Skeleton className={classes['box']} role="status" aria-label="Loading the pages" />
  const states = { suspense: false, loading, error: onFailure, noData: onFailure } as const
  if (hasFailed) return onFailure
  return (
    <div>
      <ScrollRegion ref={ref} className={classes['pdf']} label="Preview">
        <Document
          {...states}
          file={source}
          options={OPTIONS}
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
      {pages > 1 && (
        <nav className={classes['pages']} aria-label="Pages of the document">
          <IconButton name="Previous page" disabled={page === 1} onClick={() => setPage(page - 1)}>
            <IconChevronLeft size={18} />
          </IconButton>
          <span role="status">
            Page {page} of {pages}
          </span>
          <IconButton name="Next page" disabled={page === pages} onClick={() => setPage(page + 1)}>
            <IconChevronRight size={18} />
          </IconButton>
        </nav>
      )}
    </div>
  )
}
