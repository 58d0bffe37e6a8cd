import type { PoolClient } from 'pg'
import type { ImportMode } from '#contract/import-inputs.ts'
import { IMPORT_TABS, type ImportSums, type IssueGroup } from '#contract/imports.ts'
import type { ImportRecord, StoredCounts } from '#server/features/imports/import-record.ts'
import type { RegisterRow } from '#server/features/imports/match/register-row.ts'
import { tivOf } from '#server/features/imports/rows/check-row.ts'
import type { ReadRow } from '#server/features/imports/rows/row-fields.ts'
import type { z } from 'zod'
import { LEFT_ASIDE } from '#server/features/imports/staging/staged-rows.ts'
import type { SoldSheet } from './propose-divested.ts'
import type { SettledRow } from './settle-tabs.ts'

const isActive = ({ status, trashed }: RegisterRow) => status === 'active' && !trashed

/** Properties that a row of the schedule is, or may be. */
export const listedProperties = (rows: readonly SettledRow[]): Set<string> =>
  new Set(rows.flatMap(({ property, candidates }) => [...(property ? [property.id] : []), ...candidates.map(({ id }) => id)]))

export interface Removals {
  sold: readonly SoldSheet[]
  /** Active properties that no row of the file speaks of; only a full replacement proposes them as divested. */
  missing: readonly RegisterRow[]
}

export function removalsOf(
  listed: ReadonlySet<string>,
  register: readonly RegisterRow[],
  mode: ImportMode,
  sold: readonly SoldSheet[],
): Removals {
  if (mode !== 'full_replacement') return { sold, missing: [] }
  const gone = new Set(sold.flatMap(({ divested }) => divested.map(({ property }) => property.id)))
  return { sold, missing: register.filter((property) => isActive(property) && !listed.has(property.id) && !gone.has(property.id)) }
}

/** Counts by tab and issues by code and column. */
export async function countsOf(
  client: PoolClient,
  record: ImportRecord,
  rows: readonly SettledRow[],
  { sold, missing }: Removals,
  now: Date,
  questions: StoredCounts['questions'],
): Promise<StoredCounts> {
  const tabs = Object.fromEntries(IMPORT_TABS.map((tab) => [tab, 0]))
  for (const { tab } of rows) tabs[tab] = (tabs[tab] ?? 0) + 1
  const { rows: left } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM import_rows WHERE import_id = $1 AND ${LEFT_ASIDE}`,
    [record.id],
  )
  tabs['excluded'] = (tabs['excluded'] ?? 0) + (left[0]?.count ?? 0)
  const divested = sold.flatMap((sheet) => sheet.divested)
  tabs['remove'] = missing.length + divested.length
  return {
    ...record.counts,
    tabs,
    ticked: missing.length + divested.filter(({ exact }) => exact).length,
    sold: sold.map(({ index, rows: count, divested: { length }, stillListed }) => ({ index, rows: count, found: length, stillListed })),
    issues: issueGroups(rows, record),
    questions,
    validatedAt: now.toISOString(),
  }
}

function issueGroups(rows: readonly SettledRow[], record: ImportRecord): IssueGroup[] {
  const headers = new Map(record.columns.map(({ column, header }) => [column, header]))
  const groups = new Map<string, IssueGroup>()
  for (const { number, issues } of rows) {
    for (const { code, severity, column, field } of issues) {
      const key = `${severity} ${code} ${column ?? ''} ${field ?? ''}`
      const group = groups.get(key)
      if (group) group.count += 1
      else
        groups.set(key, {
          code,
          severity,
          column,
          header: column === null ? null : (headers.get(column) ?? null),
          field,
          count: 1,
          first_row: number,
        })
    }
  }
  return [...groups.values()].sort((a, b) => a.severity.localeCompare(b.severity) || b.count - a.count)
}

/** Total insured values: of the file, of the register before and after, and what the file itself says. */
export function sumsOf(
  rows: readonly SettledRow[],
  register: readonly RegisterRow[],
  { sold, missing }: Removals,
  totals: readonly ReadRow[],
): z.output<typeof ImportSums> {
  const active = register.filter(isActive)
  const before = { rows: active.length, tiv: active.reduce((sum, { values }) => sum + tivOf(values), 0) }
  const after = { ...before }
  const file = { rows: rows.length, tiv: 0 }
  for (const row of rows) {
    file.tiv += row.tiv
    const wasActive = row.property !== undefined && isActive(row.property)
    if (row.tab === 'add') Object.assign(after, { rows: after.rows + 1, tiv: after.tiv + row.tiv })
    if (row.tab === 'change')
      Object.assign(after, {
        rows: after.rows + (wasActive ? 0 : 1),
        tiv: after.tiv + tivAfter(row) - (wasActive ? tivOf(row.property?.values ?? {}) : 0),
      })
  }
  const gone = sold.flatMap(({ divested }) => divested.filter(({ exact }) => exact).map(({ property }) => property))
  for (const { values } of [...missing, ...gone]) Object.assign(after, { rows: after.rows - 1, tiv: after.tiv - tivOf(values) })
  return { file, before, after, stated: statedOf(totals) }
}

const tivAfter = ({ property, changes = {} }: SettledRow): number =>
  tivOf({ ...property?.values, ...Object.fromEntries(Object.entries(changes).map(([name, [, after]]) => [name, after])) })

function statedOf(totals: readonly ReadRow[]): number | null {
  if (totals.length === 0) return null
  const stated = totals.map(({ fields }) => tivOf(fields) || (fields.stated_tiv ?? null))
  return stated.reduce((sum, own) => (sum === null || own === null ? null : sum + own), 0)
}
