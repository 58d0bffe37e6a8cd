import { openMoney } from '#contract/imports.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { coverageColumn, partCurrency } from '#server/features/imports/pipeline/map/column-currency.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { announcedFactors } from '#server/features/imports/pipeline/map/sheet-plan.ts'
import { openQuestions } from '#server/features/imports/pipeline/plan/open-questions.ts'
import { presentTally } from '#server/features/imports/pipeline/plan/summarize.ts'
import type { PlannedRow } from '#server/features/imports/pipeline/plan/planned-row.ts'
import { tallyLeftOut, type Tally } from '#server/features/imports/pipeline/plan/tally.ts'
import { unitSource } from '#server/features/imports/pipeline/read/announced-unit.ts'
import { sheetName } from '#server/features/imports/selected-sheets.ts'
import { columnWords } from './column-words.ts'
import { excludedLocations } from './excluded-locations.ts'
import { columnsWithTotal, headersOf, mappedCurrencies, totalsRows } from './file-facts.ts'
import { unitTexts } from './sheet-units.ts'
import { yearsOf } from './years-of-values.ts'
import { unclearCells } from './unclear-cells.ts'
import { rowFacts } from './row-answers.ts'

interface Figures {
  plan: ReadPlan
  tally: Tally
  /** The first row of each group of issues. */
  firstRows: ReadonlyMap<string, number>
  /** Number of rows that are not imported because of their kind, or because the user excluded them. */
  skipped: number
  /** The rows that are left out by an answer, although they were read. */
  leftOut?: readonly PlannedRow[]
  /** How many rows are no locations of their own, because their values are those of an earlier one. */
  merged?: number
  /** The columns with money that are not mapped. */
  unmappedMoney: ImportRecord['counts']['unmappedMoney']
  /** What the divested sheets propose. */
  sold?: ImportRecord['counts']['sold']
  /** A date of rows that are marked as ended, if it can be read in two ways. */
  unclearEnd?: { column: string; date: string } | undefined
}

/** While it is open in which currency some columns are, their amounts and those of others have no sum. */
function withoutCurrency({ file, imported, after, left_out }: ReturnType<typeof presentTally>['sums']) {
  const unclear = <S extends object>(sum: S) => ({ ...sum, currency: null })
  return { file: unclear(file), imported: unclear(imported), after: unclear(after), left_out: unclear(left_out) }
}

/** The figures of a preview as they are stored with the import: counts, issues, sums and open questions. The rows must be stored before. */
export async function previewFigures(db: Reader, record: ImportRecord, figuresOfRows: Figures) {
  const { plan, tally, firstRows, skipped, leftOut: decided = [], merged = 0, unmappedMoney, sold = [], unclearEnd } = figuresOfRows
  const { read, unread } = await excludedLocations(db, record, plan)
  const leftOut = tallyLeftOut([...decided, ...read])
  const totals = await totalsRows(db, record.id, plan)
  const { sums: sumsOfRows, ...figures } = presentTally(tally, { firstRows, headers: headersOf(record), totals, skipped, leftOut, unread })
  const texts = await unitTexts(db, record)
  const [titles, unit] = [texts.map(({ text }) => text), unitSource(texts)]
  const rows = await rowFacts(db, record, plan.coverage)
  const currencies = mappedCurrencies(record)
  const coverages = plan.coverage === undefined ? coverageColumn(record.columns) : undefined
  const factorSheets = announcedFactors(plan, (index) => sheetName(record, index))
  const facts = {
    constants: record.constants,
    plan,
    titles,
    unit,
    factorSheets,
    tally,
    issues: figures.issues,
    currencies,
    partCurrency: partCurrency(record.columns, (column) => record.mapping[column]),
    coverages,
    rows,
    years: await yearsOf(db, record),
    cells: await unclearCells(db, record, plan, sold, unclearEnd),
  }
  const questions = openQuestions({ ...facts, unmapped: openMoney(unmappedMoney) })
  const letters = unmappedMoney.map(({ letter }) => letter)
  const isCurrencyOpen = facts.partCurrency !== undefined && questions.some(({ constant }) => constant === 'currency')
  const sums = {
    ...sumsOfRows,
    ...(isCurrencyOpen && withoutCurrency(sumsOfRows)),
    merged_rows: merged,
    stated_unmapped: await columnsWithTotal(db, record, letters),
  }
  return { sums, counts: { ...record.counts, ...figures, unmappedMoney, tally, questions, words: await columnWords(db, record) } }
}
