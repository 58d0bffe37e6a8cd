import { IMPORT_CONFIRM_SCORE, IMPORT_MAPPED_SCORE } from '#contract/limits.ts'
import type { ImportColumn } from '#contract/imports.ts'
import { PROPERTY_FIELD_NAMES, propertyField } from '#contract/property-fields.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { isFilled, lineText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isFieldName, type HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { learnedKeys, learnedTargets } from '#server/features/imports/pipeline/read/learned-keys.ts'
import type { WordCodes } from '#server/features/imports/pipeline/validate/results.ts'
import { misreadBuildings } from './building-columns.ts'
import { currencyChoice } from './column-currency.ts'
import { fileFacts, pairsOf, readHeader, type ReadColumn, type SheetColumn } from './column-pairs.ts'
import type { FileSettings } from './file-settings.ts'
import { isIncomplete } from './incomplete-years.ts'
import { isSplitTarget } from './propose-split.ts'
import { SAVED_RANK, type Pair } from './pair.ts'
import {
  bareLimits,
  canAddUp,
  includedInOthers,
  isLimit,
  isOfDoubtfulSource,
  hasOtherNumbers,
  isPart,
  hasRival,
  isSummable,
  limitsWithValue,
  mayBeSum,
  partOfTotal,
  sumsOfFields,
  supersedes,
} from './rival-columns.ts'

/** Where the values of a column go: a field, an address to be split, a custom field (text), or nowhere. */
export type MappingTarget = Exclude<HeaderTarget, 'status' | 'divested_on' | 'notes'> | 'custom'

/** By column letter. */
export type Mapping = Readonly<Record<string, MappingTarget>>

export type ColumnProposal = Omit<ImportColumn, 'letter' | 'state' | 'field' | 'split' | 'words'> & {
  column: string
  target: MappingTarget | null
  status: 'mapped' | 'confirm' | 'unmapped'
  /** Confirmed by this company in an earlier import. */
  saved: boolean
}

const SAMPLES_SHOWN = 3

interface Found {
  choices?: WordCodes
  sums?: ReadonlyMap<number, readonly number[]>
  custom?: ReadonlySet<number>
}

/**
 * Proposes a target for every column: the best pair first, one column per field. A column whose cells don't fit a target is not
 * mapped to it, even if it was before. Among columns with the same words the newest period wins, then the visible one; a value wins over a limit.
 * A column without any value gets a field that no other column has, without a question: it adds nothing to the register.
 * @param saved what the company confirmed in earlier imports, by `learnedKeys`
 * @param found `choices`: what it chose for words in earlier imports; `sums`: the columns that add up others, with these, from 0; `custom`: the
 * columns of custom fields, from 0
 */
export async function proposeMapping(
  columns: readonly SheetColumn[],
  saved: ReadonlyMap<string, string>,
  settings: FileSettings,
  pause: () => Promise<void> = async () => {},
  { choices = new Map(), sums = new Map(), custom: own = new Set() }: Found = {},
): Promise<ColumnProposal[]> {
  const read = await readHeaders(columns, pause)
  const learned = learnedTargets(learnedKeys(read.map(({ normalized }) => normalized)), saved)
  const custom = new Set([...own, ...learned.flatMap((target, index) => (target === 'custom' ? [index] : []))])
  const file = fileFacts(
    read.filter((_, index) => !custom.has(index)),
    settings,
    choices,
  )
  const all: Pair[] = []
  for (const [index, column] of read.entries()) {
    if (custom.has(index)) continue
    all.push(...pairsOf(index, column, hasVisibleTwin(column, read) ? undefined : learned[index], file))
    await pause()
  }
  const currencies = currencyChoice(all, settings.currency)
  const misread = misreadBuildings(all)
  const limits = new Set([...limitsWithValue(all), ...bareLimits(all)])
  const totals = sumsOfFields(all, sums)
  const included = includedInOthers(all.filter((pair) => !totals.has(pair)))
  const loses = (pair: Pair) =>
    misread.has(pair) ||
    totals.has(pair) ||
    included.has(pair) ||
    limits.has(pair) ||
    hasOtherNumbers(pair, all) ||
    all.some((other) => supersedes(other, pair)) ||
    (pair.rank !== SAVED_RANK && currencies.isInOther(pair, isSummable(pair.target)))
  const periodOf = periodsAt(settings.today)
  const pairs = all.filter((pair) => !loses(pair)).sort(comparePairs(periodOf))
  const { chosen, used } = choosePairs(pairs)
  const pairsByColumn = Map.groupBy(all, ({ index }) => index)
  const isUncertain = (pair: Pair) =>
    settings.isOwn !== true &&
    pair.rank !== SAVED_RANK &&
    (isPart(pair, used.has('contents_value')) ||
      isOfDoubtfulSource(pair, all) ||
      hasRival(pair, all) ||
      all.some((other) => isIncomplete(pair, other) || isIncomplete(other, pair)) ||
      mayBeSum(pair, sums) ||
      currencies.isUncertain(pair, columns, chosen))
  return columns.map((column, index) => {
    if (custom.has(index)) return { ...describeColumn(column), ...CUSTOM_FIELD, saved: !own.has(index) }
    const candidates = pairsByColumn.get(index) ?? []
    const isOlder = candidates.some((candidate) => isReplaced(candidate, used.get(candidate.target), periodOf))
    const pair = chosen.get(index)
    const isEmpty = read[index]?.sample.length === 0
    const decision = pair
      ? chosenProposal(pair, (used.get(pair.target) ?? pair) !== pair, isUncertain(pair))
      : rejectedProposal(candidates[0], isOlder ? 'older_year' : candidates.some((other) => limits.has(other)) ? 'limit' : null, isEmpty)
    return { ...describeColumn(column), ...decision }
  })
}

async function readHeaders(columns: readonly SheetColumn[], pause: () => Promise<void>): Promise<ReadColumn[]> {
  const read: ReadColumn[] = []
  for (const column of columns) {
    read.push(readHeader(column))
    await pause()
  }
  return read
}

/** Whether the values of a newer column are imported in place of those of an older one. */
const isReplaced = (older: Pair, newer: Pair | undefined, periodOf: (period: number) => number): boolean =>
  older.headerScore >= 0.9 &&
  older.period !== 0 &&
  newer !== undefined &&
  periodOf(newer.period) > older.period &&
  !isIncomplete(newer, older)

/**
 * Whether a column is hidden and another one with the same words and period, or without one, is not: what was learned of the header does not
 * prefer the hidden one.
 */
function hasVisibleTwin({ column, normalized: { words, period } }: ReadColumn, all: readonly ReadColumn[]): boolean {
  if (column.hidden !== true) return false
  return all.some((other) => !other.column.hidden && other.normalized.words === words && [period, 0].includes(other.normalized.period))
}

/**
 * One pair per column, and one column per field unless its values are added up: the best first, those of columns without a value last. `used`
 * has the first column with values of each target.
 */
function choosePairs(pairs: readonly Pair[]) {
  const chosen = new Map<number, Pair>()
  const used = new Map<HeaderTarget, Pair>()
  const likely = pairs.filter(({ score }) => score >= IMPORT_CONFIRM_SCORE)
  for (const pair of likely) {
    if (chosen.has(pair.index) || pair.isEmpty) continue
    const first = used.get(pair.target)
    if (first && isFieldName(pair.target) && !canAddUp(pair, first)) continue
    chosen.set(pair.index, pair)
    if (!first) used.set(pair.target, pair)
  }
  const part = partOfTotal(pairs, used)
  if (part) {
    chosen.set(part.index, part)
    used.set(part.target, part)
  }
  const fields = new Set([...used.keys()].filter(isFieldName))
  for (const pair of likely) {
    if (!pair.isEmpty || chosen.has(pair.index) || (isFieldName(pair.target) && fields.has(pair.target))) continue
    chosen.set(pair.index, pair)
    if (isFieldName(pair.target)) fields.add(pair.target)
  }
  return { chosen, used }
}

/** Values without a year are newer than those of last year, and older than those that name this one. */
function periodsAt(today: string) {
  const without = Number(today.slice(0, 4)) - 0.5
  return (period: number): number => (period === 0 ? without : period)
}

const comparePairs =
  (periodOf: (period: number) => number) =>
  (a: Pair, b: Pair): number => {
    const savedFirst = Number(b.rank === SAVED_RANK) - Number(a.rank === SAVED_RANK)
    const byMeasure = Number(isLimit(a.words)) - Number(isLimit(b.words))
    const byColumn = b.score - a.score || periodOf(b.period) - periodOf(a.period) || Number(a.hidden) - Number(b.hidden) || byMeasure
    // Of several totals, the largest includes the others.
    const byTotal = a.target === 'stated_tiv' && b.target === 'stated_tiv' ? b.mean - a.mean : 0
    return savedFirst || byColumn || fieldRank(a.target) - fieldRank(b.target) || byTotal || a.rank - b.rank || a.index - b.index
  }

/** Ties go to the more important field, then to the first in the record. */
function fieldRank(target: HeaderTarget): number {
  if (!isFieldName(target)) return 1_000
  const { level } = propertyField(target)
  return (level === 'required' ? 0 : level === 'core' ? 100 : 200) + PROPERTY_FIELD_NAMES.indexOf(target) / 100
}

type Description = Pick<ColumnProposal, 'column' | 'header' | 'samples' | 'filled'>
type Decision = Omit<ColumnProposal, keyof Description>

export function describeColumn({ column, header, cells }: SheetColumn): Description {
  const filled = cells.filter(isFilled)
  const samples = [...new Set(filled.slice(0, 50).map(lineText))].filter((text) => text !== '').slice(0, SAMPLES_SHOWN)
  return { column, header, samples, filled: filled.length }
}

const CUSTOM_FIELD: Decision = { target: 'custom', score: 1, status: 'mapped', saved: false, note: null }

function rejectedProposal(best: Pair | undefined, replaced: 'older_year' | 'limit' | null, isEmpty: boolean): Decision {
  const note = replaced ?? (isEmpty ? 'empty' : null)
  return { target: replaced ? 'ignore' : null, score: best?.score ?? 0, status: 'unmapped', saved: false, note }
}

function chosenProposal({ target, score, rank, isEmpty }: Pair, isRepeated: boolean, isUncertain: boolean): Decision {
  const saved = rank === SAVED_RANK
  if (target === 'status' || target === 'divested_on' || target === 'notes' || target === 'ignore')
    return { target: 'ignore', score, status: 'unmapped', saved, note: 'no_home' }
  const isSummed = isRepeated && isFieldName(target)
  const isOpen = isSummed || isUncertain || score < IMPORT_MAPPED_SCORE
  const status = isOpen && !isEmpty ? 'confirm' : 'mapped'
  return { target, score, status, saved, note: isSummed ? 'sum_of' : isEmpty ? 'empty' : null }
}

export const sheetColumns = (headers: readonly string[], rows: readonly (readonly Cell[])[]): SheetColumn[] =>
  headers.map((header, index) => ({ column: columnLetters(index + 1), header, cells: rows.map((cells) => cells[index] ?? null) }))

export const isMappingTarget = (target: string): target is MappingTarget =>
  isSplitTarget(target) || target === 'custom' || target === 'ignore' || (isFieldName(target) && propertyField(target).importable)

/** The stored mapping with its targets checked; columns without a valid target are left out. */
export const checkedMapping = (mapping: Readonly<Record<string, string | null>>): Mapping =>
  Object.fromEntries(
    Object.entries(mapping).flatMap(([column, target]) => (target !== null && isMappingTarget(target) ? [[column, target]] : [])),
  )
