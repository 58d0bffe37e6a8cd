import { queryOptions } from '@tanstack/react-query'
import { EXPORT_POLL_MS } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'
import { importCalls, type ImportTab } from '#contract/imports.ts'

/** Rows fetched at once: about five screens. */
export const ROWS_PAGE = 200
export const PREVIEW_PAGE = 50

export const importQueries = {
  /** Asked again each second while the server is at work on it. */
  one: (id: string) =>
    queryOptions({
      queryKey: ['import', id],
      queryFn: async ({ signal }) => (await api(importCalls.show, { params: { id }, signal })).data,
      refetchInterval: ({ state }) => (state.data !== undefined && state.data.activity !== null ? EXPORT_POLL_MS : false),
    }),
  rows: (id: string, page: number) =>
    queryOptions({
      queryKey: ['import-rows', id, 'sheet', page],
      queryFn: ({ signal }) => api(importCalls.rows, { params: { id }, query: { page, paginate: ROWS_PAGE }, signal }),
    }),
  tab: (id: string, tab: ImportTab, page: number) =>
    queryOptions({
      queryKey: ['import-rows', id, tab, page],
      queryFn: ({ signal }) => api(importCalls.rows, { params: { id }, query: { tab, page, paginate: PREVIEW_PAGE }, signal }),
    }),
  history: (accountId: string) =>
    queryOptions({
      queryKey: ['import-history', accountId],
      queryFn: async ({ signal }) => (await api(importCalls.history, { params: { account_id: accountId }, signal })).data,
    }),
}
