import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { queries, type ListAnswer, type ListedModel, type Rows } from '#web/data/queries.ts'

/** Rows of one request of a windowed list. */
export const WINDOW_ROWS = 100
/** A page is requested this many rows before it scrolls into view. */
const AHEAD_ROWS = 40
const NO_PAGES: readonly number[] = []

/** Identifies what a list shows, apart from the page. */
export const listKey = (query: Readonly<Record<string, string>>): string => JSON.stringify({ ...query, page: '' })

/** The numbers of the pages that contain these rows and those near them. */
export function pagesOf(first: number, last: number, total: number): number[] {
  const from = Math.floor(Math.max(0, first - AHEAD_ROWS) / WINDOW_ROWS) + 1
  const to = Math.floor(Math.min(Math.max(0, total - 1), last + AHEAD_ROWS) / WINDOW_ROWS) + 1
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

const answersOf = <M extends ListedModel>(results: UseQueryResult<ListAnswer<M>>[]) => results.flatMap(({ data }) => data ?? [])

/**
 * The rows of a list by their position, of which those near the visible area are loaded: the first page, which also has the totals, and the
 * pages in view. A row that moves to another page while both are refetched is shown once.
 */
export function useWindowedRows<M extends ListedModel>(
  model: M,
  query: Readonly<Record<string, string>>,
  firstPage: ListAnswer<M> | undefined,
  enabled: boolean,
) {
  const key = listKey(query)
  const [visible, setVisible] = useState({ key, pages: NO_PAGES })
  const pages = enabled && visible.key === key ? visible.pages.filter((page) => page > 1) : NO_PAGES
  const others = useQueries({
    queries: pages.map((page) => ({ ...queries.index(model, { ...query, page: String(page) }), placeholderData: () => undefined })),
    combine: answersOf<M>,
  })
  const slots = useMemo(() => {
    if (!enabled || firstPage === undefined) return firstPage?.data ?? []
    const placed: (Rows[M] | undefined)[] = Array.from({ length: firstPage.meta.total })
    const shown = new Set<string>()
    for (const { data, meta } of [firstPage, ...others]) {
      for (const [index, row] of data.entries()) {
        const place = (meta.from ?? 1) - 1 + index
        if (shown.has(row.id) || place >= placed.length) continue
        shown.add(row.id)
        placed[place] = row
      }
    }
    return placed
  }, [enabled, firstPage, others])
  const showRows = (first: number, last: number) => {
    const wanted = pagesOf(first, last, slots.length)
    setVisible((before) => (before.key === key && before.pages.join() === wanted.join() ? before : { key, pages: wanted }))
  }
  return { slots, showRows }
}
