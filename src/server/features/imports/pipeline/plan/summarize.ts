import type { z } from 'zod'
import type { ImportMode } from '#contract/import-inputs.ts'
import type { ImportSums, ImportTab, IssueGroup } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS, TIV_PARTS } from '#contract/property-fields.ts'
import { isActive, type RegisterRow } from '#server/features/imports/pipeline/match/match-rows.ts'
import { tivOf } from '#server/features/imports/pipeline/validate/read-row.ts'
import type { ReadRow, RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import type { PlannedRow } from './plan-rows.ts'
import type { DivestedSheet } from './propose-divested.ts'

/** The ids of all properties that a row of the schedule matches, or may match. */
export const listedProperties = (rows: readonly PlannedRow[]): Set<string> =>
  new Set(rows.flatMap(({ property, candidates }) => [...(property ? [property.id] : []), ...candidates.map(({ id }) => id)]))

interface Planned {
  rows: readonly PlannedRow[]
  register: readonly RegisterRow[]
  listed: ReadonlySet<string>
  mode: ImportMode
  divested: readonly DivestedSheet[]
  /** The totals rows of the file, one for each sheet. */
  totals: readonly ReadRow[]
  /** Number of rows that are not imported because of their kind, or because the user excluded them. */
  skipped: number
  /** The header of each column, by its letter. */
  headers: ReadonlyMap<string, string>
}

/** Counts and sums of the preview; `ticked` removals are preselected. */
export function summarize({ rows, register, listed, mode, divested, totals, skipped, headers }: Planned) {
  const removals = divested.flatMap((sheet) => sheet.divested)
  const divestedIds = new Set(removals.map(({ property }) => property.id))
  const isMissing = (property: RegisterRow) => isActive(property) && !listed.has(property.id) && !divestedIds.has(property.id)
  const missing = mode === 'full_replacement' ? register.filter(isMissing) : []
  const preselected = [...missing, ...removals.filter(({ exact }) => exact).map(({ property }) => property)]
  const tabs: Record<ImportTab, number> = { add: 0, change: 0, unchanged: 0, remove: 0, conflict: 0, excluded: skipped, errors: 0 }
  for (const { tab } of rows) tabs[tab] += 1
  tabs.remove = missing.length + removals.length
  return { tabs, ticked: preselected.length, issues: issueGroups(rows, headers), sums: sumsOf(rows, register, preselected, totals) }
}

function issueGroups(rows: readonly PlannedRow[], headers: ReadonlyMap<string, string>): IssueGroup[] {
  const groups = new Map<string, IssueGroup>()
  for (const { number, issues } of rows) {
    for (const { code, severity, column, field } of issues) {
      const key = [severity, code, column, field].join(' ')
      const header = headers.get(column ?? '') ?? null
      const group = groups.get(key) ?? { code, severity, column, header, field, count: 0, first_row: number }
      groups.set(key, { ...group, count: group.count + 1 })
    }
  }
  return [...groups.values()].sort((a, b) => a.severity.localeCompare(b.severity) || b.count - a.count)
}

/** Total insured values of the file, of the register before and after the commit, and as stated in the file. */
function sumsOf(
  rows: readonly PlannedRow[],
  register: readonly RegisterRow[],
  removed: readonly RegisterRow[],
  totals: readonly ReadRow[],
): z.output<typeof ImportSums> {
  const active = register.filter(isActive)
  const written = rows.filter(({ tab }) => tab === 'add' || tab === 'change')
  const out = rows.filter(({ tab }) => tab === 'errors' || tab === 'conflict')
  const valuesBefore = active.map(({ values }) => values)
  const before = {
    rows: active.length,
    tiv: active.reduce((sum, { values }) => sum + tivOf(values), 0),
    currency: currencyOf(valuesBefore),
  }
  const after = { ...before, currency: currencyOf([...valuesBefore, ...fieldsOf(written)]) }
  const file = { rows: rows.length, tiv: 0, currency: currencyOf(fieldsOf(rows)) }
  const left_out = { rows: out.length, tiv: out.reduce((sum, { tiv }) => sum + tiv, 0), currency: currencyOf(fieldsOf(out)) }
  for (const { tab, tiv, property, changes = {} } of rows) {
    file.tiv += tiv
    if (tab === 'add') {
      after.rows += 1
      after.tiv += tiv
    }
    if (tab !== 'change' || !property) continue
    if (isActive(property)) after.tiv -= tivOf(property.values)
    else after.rows += 1
    after.tiv += tivOf({ ...property.values, ...Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value])) })
  }
  for (const { values } of removed) {
    after.rows -= 1
    after.tiv -= tivOf(values)
  }
  return { file, before, after, ...statedSums(rows, totals), left_out }
}

export const fieldsOf = (rows: readonly ReadRow[]) => rows.map(({ fields }) => fields)

/** The currency of all amounts; null if there are several. */
function currencyOf(properties: readonly RowFields[]): string | null {
  const [first = PROPERTY_DEFAULTS.currency, ...others] = currenciesOf(properties).keys()
  return others.length === 0 ? first : null
}

/** How many properties with amounts are in each currency, the most frequent first. */
export function currenciesOf(properties: readonly RowFields[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const fields of properties) {
    const currency = fields.currency ?? PROPERTY_DEFAULTS.currency
    if (tivOf(fields) > 0 || fields.stated_tiv) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

/**
 * What the totals rows state, and the sum of the rows to compare it with. Their own total counts if all have one, since it includes columns
 * that are not mapped; otherwise only the fields that they have amounts for.
 */
function statedSums(rows: readonly PlannedRow[], totals: readonly ReadRow[]) {
  const none = { stated: null, stated_parts: [], stated_rows: null }
  if (totals.length === 0) return none
  if (totals.every(({ fields }) => fields.stated_tiv)) {
    return { stated: add(totals, ({ fields }) => fields.stated_tiv), stated_parts: [], stated_rows: add(rows, ({ tiv }) => tiv) }
  }
  const parts = TIV_PARTS.filter((part) => totals.every(({ fields }) => typeof fields[part] === 'number'))
  if (parts.length === 0) return none
  const sumOf = (of: readonly ReadRow[]) => parts.reduce((sum, part) => sum + add(of, ({ fields }) => fields[part]), 0)
  return { stated: sumOf(totals), stated_parts: [...parts], stated_rows: sumOf(rows) }
}

const add = <T>(items: readonly T[], valueOf: (item: T) => number | null | undefined): number =>
  items.reduce((sum, item) => sum + (valueOf(item) ?? 0), 0)
