import { useQueries } from '@tanstack/react-query'
import type { ImportRow } from '#contract/import-rows.ts'
import { ROWS_PAGE, importQueries } from './import-queries.ts'

/** The rows of the sheet around what is on screen, by index from 0; rows that have not arrived are undefined. */
export function useSheetRows(importId: string, first: number, last: number): (index: number) => ImportRow | undefined {
  const firstPage = Math.floor(Math.max(0, first) / ROWS_PAGE)
  const lastPage = Math.floor(Math.max(0, last) / ROWS_PAGE)
  const pages = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index)
  const results = useQueries({ queries: pages.map((page) => importQueries.rows(importId, page + 1)) })
  return (index) => results[Math.floor(index / ROWS_PAGE) - firstPage]?.data?.data[index % ROWS_PAGE]
}
