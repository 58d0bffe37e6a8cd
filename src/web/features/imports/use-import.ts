import { queryOptions, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { z } from 'zod'
import type { ImportRow } from '#contract/import-rows.ts'
import { IMPORT_TABS, importCalls, type Import, type ImportTab } from '#contract/imports.ts'
import { EXPORT_POLL_MS } from '#contract/limits.ts'
import type { BodyIn } from '#contract/route.ts'
import { api } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { toast } from '#web/ui/toast.tsx'

/** Rows fetched at once: about five screens. */
export const ROWS_PAGE = 200
const PREVIEW_PAGE = 50

export const importQueries = {
  /** Polled while the server is working on the import. */
  one: (id: string) =>
    queryOptions({
      queryKey: ['import', id],
      queryFn: async ({ signal }) => (await api(importCalls.show, { params: { id }, signal })).data,
      refetchInterval: ({ state }) => (state.data !== undefined && state.data.activity !== null ? EXPORT_POLL_MS : false),
    }),
  /** A page of the sheet, or of one tab of the preview. */
  rows: (id: string, page: number, tab?: ImportTab) =>
    queryOptions({
      queryKey: ['import-rows', id, tab ?? 'sheet', page],
      queryFn: ({ signal }) =>
        api(importCalls.rows, { params: { id }, query: { tab, page, paginate: tab === undefined ? ROWS_PAGE : PREVIEW_PAGE }, signal }),
    }),
  history: (accountId: string) =>
    queryOptions({
      queryKey: ['import-history', accountId],
      queryFn: async ({ signal }) => (await api(importCalls.history, { params: { account_id: accountId }, signal })).data,
    }),
}

export type Patch = BodyIn<(typeof importCalls)['update']>

/** What the parts of the import screen show and change. `onPatch` never changes its identity. */
export interface ImportProps {
  data: Import
  editable: boolean
  onPatch: (patch: Patch) => void
}

/** An import. Its rows are fetched again when the server has worked on it. */
export function useImport(id: string) {
  const client = useQueryClient()
  const query = useQuery(importQueries.one(id))
  const revision = query.data && `${query.data.version} ${query.data.activity ?? ''} ${query.data.state}`
  useEffect(() => {
    if (revision !== undefined) void client.invalidateQueries({ queryKey: ['import-rows', id] })
  }, [client, id, revision])
  return query
}

/** Changes an import. After a failure the stored state is shown again. */
export function useImportPatch(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (patch: Patch) => (await api(importCalls.update, { params: { id }, body: patch })).data,
    onSuccess: (data) => client.setQueryData<Import>(importQueries.one(id).queryKey, data),
    onError: (error) => {
      toast.alert(messageOf(error))
      void client.invalidateQueries({ queryKey: ['import', id] })
      void client.invalidateQueries({ queryKey: ['import-rows', id] })
    },
  })
}

/** The visible rows of the sheet, by index from 0; undefined until they are loaded. */
export function useSheetRows(importId: string, first: number, last: number): (index: number) => ImportRow | undefined {
  const firstPage = Math.floor(first / ROWS_PAGE)
  const pages = Array.from({ length: Math.floor(last / ROWS_PAGE) - firstPage + 1 }, (_, index) => firstPage + index)
  const results = useQueries({ queries: pages.map((page) => importQueries.rows(importId, page + 1)) })
  return (index) => results[Math.floor(index / ROWS_PAGE) - firstPage]?.data?.data[index % ROWS_PAGE]
}

/** The state of the import screen in the address: which import, sheet or preview, and the tab of the preview. */
const ImportSearch = z.object({
  import: z.uuid().optional().catch(undefined),
  view: z.enum(['sheet', 'preview']).default('sheet').catch('sheet'),
  tab: z.enum(IMPORT_TABS).default('add').catch('add'),
})

export function useImportAddress() {
  const params: unknown = useSearch({ strict: false })
  const current = ImportSearch.parse(params)
  const navigate = useNavigate()
  return {
    ...current,
    go: (change: { [K in keyof typeof current]?: (typeof current)[K] | undefined }) =>
      void navigate({ to: '.', search: { ...current, ...change }, resetScroll: false }),
  }
}
