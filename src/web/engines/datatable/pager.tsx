import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { PageMeta } from '#contract/datatable.ts'
import { pageNumbers, rangeText } from './pages.ts'
import classes from './pager.module.css'

interface PagerProps {
  meta: PageMeta
  label: string
  onPage: (page: number) => void
}

export function Pager({ meta, label, onPage }: PagerProps) {
  const { current_page: current, last_page: last } = meta
  return (
    <div className={classes['root']}>
      <span className={classes['range']} aria-live="polite">
        {rangeText(meta.from, meta.to, meta.total)}
      </span>
      {last > 1 && (
        <nav aria-label={`Pages of ${label}`} className={classes['pages']}>
          <button type="button" aria-label="Previous page" disabled={current <= 1} onClick={() => onPage(current - 1)}>
            <IconChevronLeft size={16} aria-hidden />
          </button>
          {pageNumbers(current, last).map((page, index) =>
            page === null ? (
              <span key={index === 1 ? 'gap-before' : 'gap-after'} aria-hidden>
                …
              </span>
            ) : (
              <button
                type="button"
                key={page}
                aria-label={`Page ${page}`}
                aria-current={page === current ? 'page' : undefined}
                onClick={() => onPage(page)}
              >
                {page.toLocaleString('en-US')}
              </button>
            ),
          )}
          <button type="button" aria-label="Next page" disabled={current >= last} onClick={() => onPage(current + 1)}>
            <IconChevronRight size={16} aria-hidden />
          </button>
        </nav>
      )}
    </div>
  )
}
