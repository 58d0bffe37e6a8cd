import type { z } from 'zod'
import { formatNumber, plural } from '#contract/format.ts'
import type { ImportMode } from '#contract/import-inputs.ts'
import type { Import, ImportSums, ImportTab, IssueGroup } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS, propertyField } from '#contract/property-fields.ts'
import type { PlannedColumn, ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { isActive, type RegisterRow } from '#server/features/imports/pipeline/match/match-rows.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { factorOf, normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
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
  return { file, before, after, stated: statedSum(totals), left_out }
}

const fieldsOf = (rows: readonly ReadRow[]) => rows.map(({ fields }) => fields)

/** The currency of all amounts; null if there are several. */
function currencyOf(properties: readonly RowFields[]): string | null {
  const [first = PROPERTY_DEFAULTS.currency, ...others] = currenciesOf(properties).keys()
  return others.length === 0 ? first : null
}

/** How many properties with amounts are in each currency, the most frequent first. */
function currenciesOf(properties: readonly RowFields[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const fields of properties) {
    const currency = fields.currency ?? PROPERTY_DEFAULTS.currency
    if (tivOf(fields) > 0 || fields.stated_tiv) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

function statedSum(totals: readonly ReadRow[]): number | null {
  const stated = totals.flatMap(({ fields }) => tivOf(fields) || (fields.stated_tiv ?? []))
  return totals.length > 0 && stated.length === totals.length ? stated.reduce((sum, value) => sum + value) : null
}

type Question = Import['questions'][number]

interface FileFacts {
  constants: Readonly<Record<string, string>>
  plan: ReadPlan
  /** Texts above the header. */
  titles: readonly string[]
  rows: readonly ReadRow[]
}

/** What only the user can answer: whether values are in thousands, the order of dates, and the scheme of codes. */
export function openQuestions({ constants, plan: { columns }, titles, rows }: FileFacts): Question[] {
  const factor = constants['factor'] === undefined ? factorQuestion(columns, titles, rows) : []
  const currency = constants['currency'] === undefined ? currencyQuestion(rows) : []
  return [...factor, ...currency, ...dateQuestion(columns), ...columns.flatMap((column) => schemeQuestion(constants, column))]
}

/** Below this value per square foot the values are probably in thousands. */
const VALUE_PER_SQUARE_FOOT_MIN = 2

function factorQuestion(columns: readonly PlannedColumn[], titles: readonly string[], rows: readonly ReadRow[]): Question[] {
  const money = columns.filter(({ target }) => kindOf(target) === 'money')
  const announced = Math.max(1, ...money.map(({ header }) => normalizeHeader(header).factor), ...titles.map(factorOf))
  if (announced > 1) {
    const unit = announced === 1_000 ? 'thousands' : 'millions'
    const message = `The values in the file are in ${unit}. Multiply every amount by ${formatNumber(announced)}?`
    return [{ constant: 'factor', suggestion: String(announced), message }]
  }
  const perFoot = rows
    .flatMap(({ fields }) => (fields.building_value && fields.floor_area ? [fields.building_value / fields.floor_area] : []))
    .sort((a, b) => a - b)
  const median = perFoot[Math.floor(perFoot.length / 2)]
  if (median === undefined || median >= VALUE_PER_SQUARE_FOOT_MIN) return []
  const message = `Half of the buildings are worth less than ${VALUE_PER_SQUARE_FOOT_MIN} per square foot. Are the values in thousands?`
  return [{ constant: 'factor', suggestion: '1000', message }]
}

function currencyQuestion(rows: readonly ReadRow[]): Question[] {
  const counts = currenciesOf(fieldsOf(rows))
  const [first] = counts.keys()
  if (first === undefined || counts.size === 1) return []
  const list = [...counts].map(([currency, count]) => `${currency} (${plural(count, 'row')})`).join(' and ')
  const message = `The amounts are in ${list}, which cannot be added up. Import only the rows in ${first}?`
  const options = Object.fromEntries([...counts.keys()].map((currency) => [currency, `Only rows in ${currency}`]))
  return [{ constant: 'currency', suggestion: first, message, options }]
}

const kindOf = (target: string) => (isFieldName(target) ? propertyField(target).kind : undefined)

function dateQuestion(columns: readonly PlannedColumn[]): Question[] {
  const unclear = columns.find(({ target, style }) => kindOf(target) === 'date' && style.unclearDates)
  if (!unclear) return []
  const message = `Dates in column ${unclear.column} such as 3/4/2025 are read month first. Is that right?`
  return [{ constant: 'date_order', suggestion: 'mdy', message }]
}

const SCHEMES_WITHOUT_QUESTION: ReadonlySet<string> = new Set(['words', 'iso', 'hazus'])

function schemeQuestion(constants: Readonly<Record<string, string>>, { target, column, style }: PlannedColumn): Question[] {
  const isConstruction = target === 'construction_class'
  if (!isConstruction && target !== 'property_type') return []
  const constant = isConstruction ? 'construction_scheme' : 'occupancy_scheme'
  const scheme = isConstruction ? style.constructionScheme : style.occupancyScheme
  if (constants[constant] !== undefined || SCHEMES_WITHOUT_QUESTION.has(scheme)) return []
  const message = `Column ${column} contains codes that are read as ${scheme.toUpperCase()} codes. Is that right?`
  return [{ constant, suggestion: scheme, message }]
}
