import { Skeleton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useState, type ReactNode } from 'react'
import { Document, Page, pdfjs } from 'react-pdf'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ScrollRegion } from '#web/ui/scroll-region.tsx'
import classes from './file.panel.module.css'

pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).toString()

/** A PDF, one page at a time. Where the store supports ranges, each page is fetched when it is opened. */
export function PdfPreview({ url, onFailure }: { url: string; onFailure: ReactNode }) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [page, setPage] = useState(1)
  const [pages, setPages] = useState(0)
  // A renewed link points to the same document, which must not be loaded again.
  const [source] = useState(url)
  const loading = <Skeleton className={classes['box']} role="status" aria-label="Loading the pages" />
  const states = { suspense: false, loading, error: onFailure, noData: onFailure } as const
  return (
    <div>
      <ScrollRegion ref={ref} className={classes['pdf']} label="Preview">
        <Document {...states} file={source} onLoadSuccess={({ numPages }) => setPages(numPages)}>
          {width > 0 && <Page {...states} pageNumber={page} width={width} renderTextLayer={false} renderAnnotationLayer={false} />}
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
