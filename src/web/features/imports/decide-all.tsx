import { useMutation } from '@tanstack/react-query'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import { importCalls } from '#contract/import-calls.ts'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'
import { showError } from '#web/engines/show-error.ts'
import { CompactButton } from './compact-button.ts'
import classes from './preview.module.css'
import { useOpenImport } from './use-import.ts'

const isDivested = ({ candidates, issues }: ImportRow) => candidates.length === 1 && issues.some(({ code }) => code === 'divested_match')

const reactivated = (rows: readonly ImportRow[]): ImportPatch => ({
  matches: rows.filter(isDivested).flatMap(({ row, candidates }) => candidates.map(({ id }) => ({ row, property_id: id }))),
})
const hasOneCandidate = ({ candidates, issues }: ImportRow) =>
  candidates.length === 1 && issues.some(({ code }) => code === 'conflict_match')
const matched = (rows: readonly ImportRow[]): ImportPatch => ({
  matches: rows.filter(hasOneCandidate).flatMap(({ row, candidates }) => candidates.map(({ id }) => ({ row, property_id: id }))),
})
const addedAsNew = (rows: readonly ImportRow[]): ImportPatch => ({ matches: rows.map(({ row }) => ({ row, property_id: null })) })
const leftOut = (rows: readonly ImportRow[]): ImportPatch => ({ exclusions: rows.map(({ row }) => ({ row, excluded: true })) })

/** One decision for all rows that need one, on every page. */
export function DecideAll() {
  const { data, patch } = useOpenImport()
  const decide = useMutation({
    mutationFn: async (decision: (rows: readonly ImportRow[]) => ImportPatch) => decision(await undecidedRows(data.id)),
    onSuccess: (change) => patch(change),
    onError: (error) => showError(error, true),
  })
  const divested = data.issues.find(({ code }) => code === 'divested_match')?.count ?? 0
  const conflicts = data.issues.find(({ code }) => code === 'conflict_match')?.count ?? 0
  const allDivested = divested >= (data.counts.conflict ?? 0)
  const button = (label: string, decision: (rows: readonly ImportRow[]) => ImportPatch) => (
    <CompactButton disabled={decide.isPending} onClick={() => decide.mutate(decision)}>
      {label}
    </CompactButton>
  )
  return (
    <div className={classes['decideAll']} role="group" aria-label="Decide all rows">
      {divested > 0 && button(allDivested ? 'Reactivate all' : 'Reactivate all divested', reactivated)}
      {conflicts > 1 && button('Match all with one candidate', matched)}
      {button('Add all as new', addedAsNew)}
      {button('Leave all out', leftOut)}
    </div>
  )
}

async function undecidedRows(id: string): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  for (let page = 1; ; page += 1) {
    const { data, meta } = await api(importCalls.rows, { params: { id }, query: { tab: 'conflict', page, paginate: PAGE_SIZE_MAX } })
    rows.push(...data)
    if (data.length === 0 || rows.length >= meta.total) return rows
  }
}
