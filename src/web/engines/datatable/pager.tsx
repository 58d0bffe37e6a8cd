import { Group } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { PageMeta } from '#contract/datatable.ts'
import { formatNumber } from '#contract/format.ts'
import classes from './controls.module.css'

/** The page numbers to offer: first, last and those around the current one; null is a gap. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  if (last <= 7) return Array.from({ length: last }, (_, index) => index + 1)
  const near = [current - 1, current, current + 1].filter((page) => page > 1 && page < last)
  const before = (near[0] ?? 2) > 2 ? [null] : []
  const after = (near.at(-1) ?? last) < last - 1 ? [null] : []
  return [1, ...before, ...near, ...after, last]
}

/** "1 to 15 of 8,645" */
export function rangeText({ from, to, total }: Pick<PageMeta, 'from' | 'to' | 'total'>): string {
  const range = from === null || to === null ? '0' : `${formatNumber(from)} to ${formatNumber(to)}`
  return `${range} of ${formatNumber(total)}`
}

interface PagerProps {
  meta: PageMeta
  label: string
  onPage: (page: number) => void
}

export function Pager({ meta, label, onPage }: PagerProps) {
  const { current_page: current, last_page: last } = meta
  return (
    <Group justify="space-between" gap={8} mih={44} px={12} py={4} className={classes['pager'] ?? ''}>
      <span className={classes['range']} aria-live="polite">
        {rangeText(meta)}
      </span>
      {last > 1 && (
        <Group component="nav" aria-label={`Pages of ${label}`} gap={2} wrap="nowrap" className={classes['pages'] ?? ''}>
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
                {formatNumber(page)}
              </button>
            ),
          )}
          <button type="button" aria-label="Next page" disabled={current >= last} onClick={() => onPage(current + 1)}>
            <IconChevronRight size={16} aria-hidden />
          </button>
        </Group>
      )}
    </Group>
  )
}
