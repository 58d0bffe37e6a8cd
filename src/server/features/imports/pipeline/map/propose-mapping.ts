import { IMPORT_CONFIRM_SCORE, IMPORT_MAPPED_SCORE } from '#contract/limits.ts'
import { wordField, wordKey } from '#contract/import-words.ts'
import type { ImportColumn } from '#contract/imports.ts'
import { PROPERTY_FIELD_NAMES, propertyField } from '#contract/property-fields.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { cellText, isFilled, lineText, sampleOf, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isFieldName, type HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { learnedKeys, normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { WordCodes } from '#server/features/imports/pipeline/validate/results.ts'
import { currencyIn } from '#server/features/imports/pipeline/validate/read-currency.ts'
import { currencyChoice, isMoneyField } from './column-currency.ts'
import { columnStyle, type FileSettings } from './column-style.ts'
import { namedByCells } from './currency-cells.ts'
import { isAddressColumn, isCityColumn, isSplitTarget, proposeSplit, proposeStreet } from './propose-split.ts'
import {
  SAVED_RANK,
  bareLimits,
  canAddUp,
  includedInOthers,
  isLimit,
  isPartOfIncome,
  isSummable,
  limitsWithValue,
  partOfTotal,
  supersedes,
  type Pair,
} from './rival-columns.ts'
import { areForeignCountries, hasAmounts, hasSomeValues, isCertainMoney, meanAmount, valueScore } from './value-score.ts'

/** A column to map; `cells` may be a sample. */
export interface SheetColumn {
  column: string
  header: string
  cells: readonly Cell[]
  hidden?: boolean
}

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

const VALUE_SCORE_MIN = 0.5
const EMPTY_COLUMN_VALUE_SCORE = 0.75
const SAMPLES_SHOWN = 3

/**
 * Proposes a target for every column: the best pair first, one column per field. A column whose cells don't fit a target is not
 * mapped to it, even if it was before. Among columns with the same words the newest period wins, then the visible one; a value wins over a limit.
 * @param saved what the company confirmed in earlier imports, by `learnedKeys`
 * @param choices what it chose for words in earlier imports
 */
export async function proposeMapping(
  columns: readonly SheetColumn[],
  saved: ReadonlyMap<string, string>,
  settings: FileSettings,
  pause: () => Promise<void> = async () => {},
  choices: WordCodes = new Map(),
): Promise<ColumnProposal[]> {
  const all: Pair[] = []
  const keys = learnedKeys(columns.map(({ header }) => header))
  const has = (test: typeof isCityColumn) =>
    columns.some(({ header, cells }) => test(scoreHeader(normalizeHeader(header)), sampleOf(cells.filter(isFilled))))
  const file = { settings, choices, isForeign: isForeign(columns), hasCity: has(isCityColumn), hasAddress: has(isAddressColumn) }
  for (const [index, column] of columns.entries()) {
    all.push(...pairsOf(index, column, saved.get(keys[index] ?? ''), file))
    await pause()
  }
  const currencies = currencyChoice(all, settings.currency)
  const limits = new Set([...limitsWithValue(all), ...bareLimits(all)])
  const included = includedInOthers(all)
  const loses = (pair: Pair) =>
    isBuildingValue(pair, all) ||
    included.has(pair) ||
    limits.has(pair) ||
    all.some((other) => supersedes(other, pair)) ||
    (pair.rank !== SAVED_RANK && currencies.isInOther(pair, isSummable(pair.target)))
  const pairs = all.filter((pair) => !loses(pair)).sort(comparePairs)
  const chosen = new Map<number, Pair>()
  const used = new Map<HeaderTarget, Pair>()
  for (const pair of pairs) {
    if (chosen.has(pair.index) || pair.score < IMPORT_CONFIRM_SCORE) continue
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
  const pairsByColumn = Map.groupBy(all, ({ index }) => index)
  const isUncertain = (pair: Pair) => pair.rank !== SAVED_RANK && (isPartOfIncome(pair) || currencies.isUncertain(pair, columns, chosen))
  return columns.map((column, index) => {
    const candidates = pairsByColumn.get(index) ?? []
    const isOlder = candidates.some(
      ({ target, period, headerScore }) => headerScore >= 0.9 && period !== 0 && (used.get(target)?.period ?? period) > period,
    )
    const pair = chosen.get(index)
    const isEmpty = !column.cells.some(isFilled)
    const decision = pair
      ? chosenProposal(pair, used.get(pair.target) !== pair, isEmpty, isUncertain(pair))
      : rejectedProposal(candidates[0], isOlder ? 'older_year' : candidates.some((other) => limits.has(other)) ? 'limit' : null, isEmpty)
    return { ...describeColumn(column), ...decision }
  })
}

function comparePairs(a: Pair, b: Pair): number {
  const savedFirst = Number(b.rank === SAVED_RANK) - Number(a.rank === SAVED_RANK)
  const byMeasure = Number(isLimit(a.words)) - Number(isLimit(b.words))
  const byColumn = b.score - a.score || b.period - a.period || Number(a.hidden) - Number(b.hidden) || byMeasure
  return savedFirst || byColumn || fieldRank(a.target) - fieldRank(b.target) || a.rank - b.rank || a.index - b.index
}

/**
 * Whether a pair takes the building values for numbers or names of buildings: the cells are certainly money, or the header is only "Building", the
 * cells are amounts, and no column with another header has the building values.
 */
const isBuildingValue = ({ target, words, hasAmounts, isMoney }: Pair, all: readonly Pair[]): boolean => {
  if (target !== 'building_number' && target !== 'property_name') return false
  const isElsewhere = () =>
    all.some((other) => other.target === 'building_value' && other.words !== words && other.score >= IMPORT_CONFIRM_SCORE)
  return isMoney || (hasAmounts && words === 'building' && !isElsewhere())
}

/** Ties go to the more important field, then to the first in the record. */
function fieldRank(target: HeaderTarget): number {
  if (!isFieldName(target)) return 1_000
  const { level } = propertyField(target)
  return (level === 'required' ? 0 : level === 'core' ? 100 : 200) + PROPERTY_FIELD_NAMES.indexOf(target) / 100
}

interface FileFacts {
  settings: FileSettings
  choices: WordCodes
  isForeign: boolean
  hasCity: boolean
  hasAddress: boolean
}

function pairsOf(index: number, column: SheetColumn, known: string | undefined, file: FileFacts): Pair[] {
  const { settings, choices, isForeign } = file
  const header = normalizeHeader(column.header)
  const filled = column.cells.filter(isFilled)
  const sample = sampleOf(filled)
  const isEmpty = sample.length === 0
  const amounts = {
    mean: meanAmount(sample),
    hasAmounts: hasAmounts(sample),
    isMoney: isCertainMoney(sample),
    currency: currencyIn(column.header),
  }
  const style = columnStyle(header, sample, settings)
  const factor = Math.max(style.factor, header.factor, settings.announcedFactor ?? 1)
  const scored = scoreHeader(header)
  const named = [...scored, ...namedByCells(sample, scored)]
  const split = proposeSplit(named, sample, file.hasCity)
  const street = split || header.words === '' ? undefined : proposeStreet(named, sample, file)
  const scores = split ? [split] : street ? [street] : named
  const isKnown = known !== undefined && (isFieldName(known) || known === 'ignore' || isSplitTarget(known))
  if (isKnown && !(split && isFieldName(known))) scores.push({ target: known, score: 1, rank: SAVED_RANK })
  return scores.flatMap(({ target, score: headerScore, rank }) => {
    if (isFieldName(target) && !propertyField(target).importable) return []
    // One amount for all locations is no value of a location.
    if (isMoneyField(target) && isBlanket(header.words, sample)) return []
    if ((header.period !== 0 || header.isMoney) && NAMES.has(target) && scores.some((other) => isMoneyField(other.target))) return []
    const emptyScore = headerScore === 1 ? EMPTY_COLUMN_VALUE_SCORE : 0
    const codes = choices.get(wordField(target))
    const open = codes ? sample.filter((cell) => !codes.has(wordKey(cellText(cell)))) : sample
    // A word with a choice fits like one that is understood.
    const isForeignState = target === 'state' && isForeign
    const fitting = valueScore(isForeignState ? 'city' : target, open, style, factor) * open.length + sample.length - open.length
    const value = isEmpty ? emptyScore : fitting / sample.length
    const isPoor = value < VALUE_SCORE_MIN
    const isNamed = isPoor && headerScore === 1 && rank !== SAVED_RANK && hasSomeValues(target, sample, style, factor)
    if (isPoor && !isNamed) return []
    const fit = isNamed ? IMPORT_CONFIRM_SCORE : headerScore * (0.4 + 0.6 * value) * (isEmpty ? 0.9999 : 1)
    const isUncertain = isForeignState || (header.period < 0 && target !== 'ignore')
    const score = rank === SAVED_RANK ? 1 : isUncertain ? Math.min(fit, UNCERTAIN_SCORE_MAX) : fit
    const { words, period } = header
    const facts = { words, period, hidden: column.hidden ?? false, filled: filled.length, ...amounts }
    return [{ index, target, score, headerScore, rank, ...facts }]
  })
}

const isBlanket = (words: string, sample: readonly Cell[]): boolean =>
  /\bblanket\b/.test(words) && sample.length > 1 && new Set(sample.map(cellText)).size === 1

/** Targets that a period, a currency or a factor in the header excludes: only values have one. */
const NAMES: ReadonlySet<HeaderTarget> = new Set(['building_number', 'property_name'] as const)

/**
 * Columns that must be confirmed: values of the last period, and states of other countries, of which only is recognized that they are
 * words.
 */
const UNCERTAIN_SCORE_MAX = 0.8

/** Whether most locations are outside of the United States and Canada. */
function isForeign(columns: readonly SheetColumn[]): boolean {
  const column = columns.find(({ header }) =>
    scoreHeader(normalizeHeader(header)).some(({ target, score }) => target === 'country' && score === 1),
  )
  return areForeignCountries(sampleOf(column?.cells.filter(isFilled) ?? []))
}

type Description = Pick<ColumnProposal, 'column' | 'header' | 'samples' | 'filled'>
type Decision = Omit<ColumnProposal, keyof Description>

export function describeColumn({ column, header, cells }: SheetColumn): Description {
  const filled = cells.filter(isFilled)
  const samples = [...new Set(filled.slice(0, 50).map(lineText))].filter((text) => text !== '').slice(0, SAMPLES_SHOWN)
  return { column, header, samples, filled: filled.length }
}

function rejectedProposal(best: Pair | undefined, replaced: 'older_year' | 'limit' | null, isEmpty: boolean): Decision {
  const note = replaced ?? (isEmpty ? 'empty' : null)
  return { target: replaced ? 'ignore' : null, score: best?.score ?? 0, status: 'unmapped', saved: false, note }
}

function chosenProposal({ target, score, rank }: Pair, isRepeated: boolean, isEmpty: boolean, isUncertain: boolean): Decision {
  const saved = rank === SAVED_RANK
  if (target === 'status' || target === 'divested_on' || target === 'notes' || target === 'ignore')
    return { target: 'ignore', score, status: 'unmapped', saved, note: 'no_home' }
  const isSummed = isRepeated && isFieldName(target)
  const status = isSummed || isUncertain || score < IMPORT_MAPPED_SCORE ? 'confirm' : 'mapped'
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
