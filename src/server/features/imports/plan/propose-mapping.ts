import { IMPORT_CONFIRM_SCORE, IMPORT_MAPPED_SCORE, IMPORT_SAMPLE_CELLS } from '#contract/limits.ts'
import { PROPERTY_FIELD_NAMES, propertyField } from '#contract/property-fields.ts'
import { styleOf, type StyleChoices } from '#server/features/imports/cells/column-style.ts'
import { isFieldName, type HeaderTarget } from '#server/features/imports/headers/header-target.ts'
import { normaliseHeader, type NormalHeader } from '#server/features/imports/headers/normalise-header.ts'
import { scoreHeader } from '#server/features/imports/headers/score-header.ts'
import { cellText, columnLetter, isFilled, type Cell } from '#server/features/imports/sheet/sheet-row.ts'
import { valueScore } from './value-score.ts'

export interface SheetColumn {
  /** Letter of the column. */
  column: string
  header: string
  cells: readonly Cell[]
}

/** Where the values of a column go: a field, the address to be split, the extra columns kept as text, or nowhere. */
export type MappingTarget = Exclude<HeaderTarget, 'status' | 'divested_on' | 'notes'> | 'custom'

export interface ColumnProposal {
  column: string
  header: string
  target: MappingTarget | null
  score: number
  status: 'mapped' | 'confirm' | 'unmapped'
  /** Confirmed by this company before. */
  saved: boolean
  /** Why a column with a known header has no field. */
  note: 'older_year' | 'no_home' | 'empty' | 'sum_of' | null
  samples: string[]
  filled: number
}

const VETO_BELOW = 0.5
const EMPTY_COLUMN_VALUE_SCORE = 0.75
const SUMMABLE: ReadonlySet<HeaderTarget> = new Set<HeaderTarget>(['bi_value', 'contents_value'])
const SAMPLES_SHOWN = 3

interface Pair {
  index: number
  target: HeaderTarget
  score: number
  headerScore: number
  rank: number
  year: number
  saved: boolean
}

/** Proposes where every column goes (domain section 4): strongest pair first, one column a field, the cells may veto. */
export async function proposeMapping(
  columns: readonly SheetColumn[],
  saved: ReadonlyMap<string, string>,
  choices: StyleChoices,
  yieldToEventLoop: () => Promise<void> = async () => {},
): Promise<ColumnProposal[]> {
  const headers = columns.map(({ header }) => normaliseHeader(header))
  const pairs: Pair[] = []
  for (const [index, column] of columns.entries()) {
    pairs.push(...pairsOf(column, index, headers[index] ?? normaliseHeader(''), saved, choices))
    await yieldToEventLoop()
  }
  pairs.sort(
    (a, b) => b.score - a.score || b.year - a.year || levelOf(a.target) - levelOf(b.target) || a.rank - b.rank || a.index - b.index,
  )
  const chosen = new Map<number, Pair>()
  const taken = new Map<HeaderTarget, Pair>()
  const summed = new Set<number>()
  for (const pair of pairs) {
    if (chosen.has(pair.index) || pair.score < IMPORT_CONFIRM_SCORE) continue
    const holder = taken.get(pair.target)
    if (holder && isFieldName(pair.target)) {
      if (!mayAdd(pair, holder, headers)) continue
      summed.add(pair.index)
    }
    chosen.set(pair.index, pair)
    if (!holder) taken.set(pair.target, pair)
  }
  return columns.map((column, index) =>
    proposalOf(
      column,
      chosen.get(index),
      summed.has(index),
      pairs.filter((pair) => pair.index === index),
      taken,
    ),
  )
}

/** Ties go to the field that matters more, then to the earlier one of the record. */
const levelOf = (target: HeaderTarget): number => {
  if (!isFieldName(target)) return 1_000
  const { level } = propertyField(target)
  return (level === 'required' ? 0 : level === 'core' ? 100 : 200) + PROPERTY_FIELD_NAMES.indexOf(target) / 100
}

function pairsOf(
  column: SheetColumn,
  index: number,
  header: NormalHeader,
  saved: ReadonlyMap<string, string>,
  choices: StyleChoices,
): Pair[] {
  const filled = column.cells.filter(isFilled)
  const sample = sampleOf(filled)
  const style = styleOf(header, sample, choices)
  const known = saved.get(header.words)
  return scoreHeader(header)
    .concat(
      known !== undefined && (isFieldName(known) || known === 'ignore' || known === 'full_address')
        ? [{ target: known, score: 1, rank: -1 }]
        : [],
    )
    .flatMap(({ target, score: headerScore, rank }) => {
      if (isFieldName(target) && !propertyField(target).importable) return []
      const value = filled.length === 0 ? (headerScore === 1 ? EMPTY_COLUMN_VALUE_SCORE : 0) : valueScore(target, sample, style)
      if (value < VETO_BELOW) return []
      const score = rank === -1 ? 1 : headerScore * (0.4 + 0.6 * value) * (filled.length === 0 ? 0.9999 : 1)
      return [{ index, target, score, headerScore, rank, year: header.year ?? 0, saved: rank === -1 }]
    })
}

/** Spread over the column, so that a block of blanks at its top does not decide. */
function sampleOf(cells: readonly Cell[]): readonly Cell[] {
  if (cells.length <= IMPORT_SAMPLE_CELLS) return cells
  const step = cells.length / IMPORT_SAMPLE_CELLS
  return Array.from({ length: IMPORT_SAMPLE_CELLS }, (_, index) => cells[Math.floor(index * step)] ?? null)
}

function mayAdd(pair: Pair, holder: Pair, headers: readonly NormalHeader[]): boolean {
  const sameWords = headers[pair.index]?.words === headers[holder.index]?.words
  return (
    SUMMABLE.has(pair.target) && pair.headerScore >= 0.9 && pair.score >= IMPORT_MAPPED_SCORE && !sameWords && pair.year === holder.year
  )
}

function proposalOf(
  { column, header, cells }: SheetColumn,
  pair: Pair | undefined,
  isSummed: boolean,
  rejected: readonly Pair[],
  taken: ReadonlyMap<HeaderTarget, Pair>,
): ColumnProposal {
  const filled = cells.filter(isFilled)
  const samples = [...new Set(filled.slice(0, 50).map(cellText))].filter((text) => text !== '').slice(0, SAMPLES_SHOWN)
  const common = { column, header, samples, filled: filled.length }
  const isOlder = rejected.some(({ target, year, headerScore }) => headerScore >= 0.9 && year > 0 && (taken.get(target)?.year ?? 0) > year)
  if (!pair) {
    const note = isOlder ? 'older_year' : filled.length === 0 ? 'empty' : null
    return { ...common, target: isOlder ? 'ignore' : null, score: rejected[0]?.score ?? 0, status: 'unmapped', saved: false, note }
  }
  const { target, score, saved } = pair
  if (target === 'status' || target === 'divested_on' || target === 'notes' || target === 'ignore') {
    return { ...common, target: 'ignore', score, status: 'unmapped', saved, note: 'no_home' }
  }
  const status = isSummed || score < IMPORT_MAPPED_SCORE ? 'confirm' : 'mapped'
  return { ...common, target, score, status, saved, note: isSummed ? 'sum_of' : filled.length === 0 ? 'empty' : null }
}

/** The columns of a sheet below its header, in file order; equal headers stay apart by their letter. */
export const sheetColumns = (headers: readonly string[], rows: readonly (readonly Cell[])[]): SheetColumn[] =>
  headers.map((header, index) => ({ column: columnLetter(index + 1), header, cells: rows.map((cells) => cells[index] ?? null) }))
