import { useWindowEvent } from '@mantine/hooks'
import { queryOptions, useIsMutating, useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { CHANNELS } from '#contract/events.ts'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import { importCalls } from '#contract/import-calls.ts'
import { IMPORT_TABS, type Import, type ImportTab, type Reading } from '#contract/imports.ts'
import { EXPORT_POLL_MS } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'
import { queryClient, untilAnswered } from '#web/data/query-client.ts'
import { useChannel } from '#web/data/realtime.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { useSearchParams } from '#web/search-params.ts'

/** Rows fetched at once: about five screens. */
export const ROWS_PAGE = 200
const PREVIEW_PAGE = 50

export const importQueries = {
  /** Polled while the server is working on the import. */
  one: (id: string) =>
    queryOptions({
      queryKey: ['import', id],
      queryFn: async ({ signal }) => newest((await api(importCalls.show, { params: { id }, signal })).data),
      // Another tab can have changed it a moment ago.
      refetchOnWindowFocus: 'always',
      refetchInterval: ({ state }) => (state.data !== undefined && state.data.activity !== null ? EXPORT_POLL_MS : false),
    }),
  /** A page of all rows, or of those of one tab. */
  rows: (id: string, page: number, tab?: ImportTab, reading: Reading = 'file') =>
    queryOptions({
      queryKey: ['import', id, 'rows', tab ?? 'sheet', reading, page],
      queryFn: ({ signal }) =>
        api(importCalls.rows, {
          params: { id },
          query: { tab, reading, page, paginate: tab === undefined ? ROWS_PAGE : PREVIEW_PAGE },
          signal,
        }),
    }),
}

/** The cached import if it has a later change than an answer, which another one has overtaken. */
function newest(answer: Import): Import {
  const cached = queryClient.getQueryData<Import>(['import', answer.id])
  return cached !== undefined && cached.version > answer.version ? cached : answer
}

/** After a commit, a cancellation or an undo. */
export function invalidateAfterImport(accountId: string): void {
  void queryClient.invalidateQueries({ queryKey: ['import'] })
  invalidateAfterWrite('property_imports', null)
  invalidateAfterWrite('account_properties', null, accountId)
}

/** An import. Its rows are fetched again when the server has worked on it, the account when the register has changed. */
export function useImport(id: string) {
  const query = useQuery(importQueries.one(id))
  const { activity, account_id: accountId } = query.data ?? {}
  // A commit or an undo elsewhere, also by another user.
  useChannel(accountId && CHANNELS.account(accountId))
  const wasWriting = useRef(false)
  useEffect(() => {
    if (wasWriting.current && activity === null && accountId !== undefined) invalidateAfterImport(accountId)
    wasWriting.current = activity === 'committing' || activity === 'undoing'
  }, [activity, accountId])
  const revision = query.data && `${query.data.version} ${query.data.activity ?? ''} ${query.data.state}`
  useEffect(() => {
    if (revision !== undefined) void queryClient.invalidateQueries({ queryKey: ['import', id, 'rows'] })
  }, [id, revision])
  return query
}

/** The visible rows of the sheet, by index from 0; undefined until they are loaded. */
export function useSheetRows(importId: string, first: number, last: number, reading?: Reading): (index: number) => ImportRow | undefined {
  const firstPage = Math.floor(first / ROWS_PAGE)
  const pages = Array.from({ length: Math.floor(last / ROWS_PAGE) - firstPage + 1 }, (_, index) => firstPage + index)
  const results = useQueries({ queries: pages.map((page) => importQueries.rows(importId, page + 1, undefined, reading)) })
  return (index) => results[Math.floor(index / ROWS_PAGE) - firstPage]?.data?.data[index % ROWS_PAGE]
}

/** The state of the import screen in the address: which import, which rows (all without a tab), and as in the file or as they will be. */
const ImportSearch = z.object({
  import: z.uuid().optional().catch(undefined),
  view: z.enum(['sheet', 'preview']).default('sheet').catch('sheet'),
  tab: z.enum(IMPORT_TABS).optional().catch(undefined),
})

export function useImportAddress() {
  const current = ImportSearch.parse(useSearchParams())
  const navigate = useNavigate()
  return {
    ...current,
    reading: current.view === 'preview' ? ('register' as const) : ('file' as const),
    go: (change: { [K in keyof typeof current]?: (typeof current)[K] | undefined }) =>
      void navigate({ to: '.', search: { ...current, ...change }, resetScroll: false }),
  }
}

/** The unfinished import on the screen and how its parts change it. */
export const ImportContext = createContext<ReturnType<typeof useImportContext> | null>(null)

export function useOpenImport() {
  const open = useContext(ImportContext)
  if (open === null) throw new Error('This component is rendered inside an ImportContext only')
  return open
}

/** Shows edited cells with their new values before the server has stored them; what was found in the old values no longer applies. */
function showEdits({ id, columns }: Import, edits: NonNullable<ImportPatch['edits']>): void {
  const edited = (row: ImportRow): ImportRow =>
    edits
      .filter((edit) => edit.row === row.row)
      .reduce((shown, { column, value }) => {
        const at = columns.findIndex(({ letter }) => letter === column)
        const cells = shown.cells.map((cell, index) => (index === at ? value : cell))
        return { ...shown, cells, issues: shown.issues.filter((issue) => issue.column !== column) }
      }, row)
  queryClient.setQueriesData<{ data: ImportRow[] }>(
    { queryKey: ['import', id, 'rows'] },
    (page) => page && { ...page, data: page.data.map(edited) },
  )
}

/** Input that a reload would lose: the browser asks before, and the page is not reloaded after a lost connection. */
export const useUnsaved = (unsaved: boolean): void =>
  useWindowEvent('beforeunload', (event) => (unsaved ? event.preventDefault() : undefined))

/** The context of an import. Changes are sent one after the other. After a failed change the stored state is shown again. */
export function useImportContext(data: Import) {
  const mutationKey = ['import', data.id, 'change']
  const isSaving = useIsMutating({ mutationKey }) > 0
  useUnsaved(isSaving)
  const { mutate: patch } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    ...untilAnswered,
    mutationFn: async (body: ImportPatch) => (await api(importCalls.update, { params: { id: data.id }, body })).data,
    onMutate: ({ edits = [] }) => showEdits(data, edits),
    onSuccess: (changed) => {
      queryClient.setQueryData<Import>(importQueries.one(data.id).queryKey, newest(changed))
      // A change that changed nothing has no new version, by which the rows are fetched again.
      if (changed.version === data.version) void queryClient.invalidateQueries({ queryKey: ['import', data.id, 'rows'] })
    },
    onError: (error) => {
      showError(error, true)
      void queryClient.invalidateQueries({ queryKey: ['import', data.id] })
    },
  })
  return { data, patch, isSaving, editable: data.activity === null || data.activity === 'validating', removals: useRemovals(data) }
}

/** The rows of all proposed removals. */
export async function readRemovals({ id, counts }: Import): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  for (let page = 1; (page - 1) * ROWS_PAGE < (counts.remove ?? 0); page += 1) {
    const query = { tab: 'remove', reading: 'register', page, paginate: ROWS_PAGE } as const
    rows.push(...(await api(importCalls.rows, { params: { id }, query })).data)
  }
  return rows
}

/** By property id, the checkboxes of removals that the user changed, and the value of the property. */
const ChangedRemovals = z.object({
  proposal: z.string(),
  changed: z.record(z.string(), z.object({ checked: z.boolean(), tiv: z.number() })),
})

function storedRemovals(key: string): z.output<typeof ChangedRemovals> {
  const stored = ChangedRemovals.safeParse(JSON.parse(window.sessionStorage.getItem(key) ?? 'null'))
  return stored.data ?? { proposal: '', changed: {} }
}

/** The checkboxes of the proposed removals, also after a reload. They are reset when the mode or a sold sheet changes the proposal. */
function useRemovals({ id: importId, mode, sold_sheets, ticked: proposed }: Import) {
  const proposal = `${mode} ${sold_sheets.flatMap(({ index, used }) => (used ? [index] : [])).join(' ')}`
  const key = `plumbline.removals.${importId}`
  const [state, setState] = useState(() => storedRemovals(key))
  const changed = state.proposal === proposal ? state.changed : {}
  const changedTo = (checked: boolean) => Object.entries(changed).flatMap(([id, removal]) => (removal.checked === checked ? [id] : []))
  const sumOf = (valueOf: (tiv: number) => number) =>
    Object.values(changed).reduce((sum, { checked, tiv }) => sum + (checked ? -1 : 1) * valueOf(tiv), 0)
  const staying = { rows: sumOf(() => 1), tiv: sumOf((tiv) => tiv) }
  const store = (choices: Iterable<[string, { checked: boolean; tiv: number }]>) => {
    const next = { proposal, changed: Object.fromEntries(choices) }
    window.sessionStorage.setItem(key, JSON.stringify(next))
    setState(next)
  }
  return {
    isChecked: ({ property, ticked }: ImportRow) => changed[property?.id ?? '']?.checked ?? ticked,
    setChecked: (rows: readonly ImportRow[], checked: boolean) => {
      const choices = new Map(Object.entries(changed))
      for (const { property, ticked, tiv } of rows) {
        if (property === null) continue
        if (checked === ticked) choices.delete(property.id)
        else choices.set(property.id, { checked, tiv: tiv ?? 0 })
      }
      store(choices)
    },
    /** Forgets checkboxes of properties that no longer exist. */
    forget: (ids: readonly string[]) => store(Object.entries(changed).filter(([id]) => !ids.includes(id))),
    /** What a commit marks divested; only what the user changed is sent. */
    choice: { all_except: changedTo(false), also: changedTo(true) },
    /** How many properties will be marked divested. */
    count: proposed - staying.rows,
    /** What stays in the register in addition to what the preview expects. */
    staying,
  }
}
