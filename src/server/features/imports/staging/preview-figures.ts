import type { Reader } from '#server/access/viewer.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { coverageColumn } from '#server/features/imports/pipeline/map/column-currency.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { openQuestions } from '#server/features/imports/pipeline/plan/open-questions.ts'
import { presentTally } from '#server/features/imports/pipeline/plan/summarize.ts'
import type { Tally } from '#server/features/imports/pipeline/plan/tally.ts'
import { unitSource } from '#server/features/imports/pipeline/read/announced-unit.ts'
import { columnWords } from './column-words.ts'
import { headersOf, mappedCurrencies, totalsRows, unitTexts } from './file-facts.ts'
import { rowFacts } from './row-answers.ts'

interface Figures {
  plan: ReadPlan
  tally: Tally
  /** The first row of each group of issues. */
  firstRows: ReadonlyMap<string, number>
  /** Number of rows that are not imported because of their kind, or because the user excluded them. */
  skipped: number
  /** The columns with money that are not mapped. */
  unmappedMoney: ImportRecord['counts']['unmappedMoney']
}

/** The figures of a preview as they are stored with the import: counts, issues, sums and open questions. The rows must be stored before. */
export async function previewFigures(db: Reader, record: ImportRecord, { plan, tally, firstRows, skipped, unmappedMoney }: Figures) {
  const totals = await totalsRows(db, record.id, plan)
  const { sums, ...figures } = presentTally(tally, { firstRows, headers: headersOf(record), totals, skipped })
  const texts = await unitTexts(db, record)
  const [titles, unit] = [texts.map(({ text }) => text), unitSource(texts)]
  const rows = await rowFacts(db, record)
  const currencies = mappedCurrencies(record)
  const coverages = coverageColumn(record.columns)
  const facts = { constants: record.constants, plan, titles, unit, tally, issues: figures.issues, currencies, coverages, rows }
  const questions = openQuestions({ ...facts, unmapped: unmappedMoney })
  return { sums, counts: { ...record.counts, ...figures, unmappedMoney, tally, questions, words: await columnWords(db, record) } }
}
