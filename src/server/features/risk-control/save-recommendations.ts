import { sql } from 'kysely'
import { RECOMMENDATION_DUE_DAYS } from '#contract/limits.ts'
import { isOpen, type RecommendationInput } from '#contract/recommendations.ts'
import { visibleRiskControl } from '#server/access/risk-control.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { invalid } from '#server/kernel/errors.ts'
import { nextRecommendationNumber } from './report-numbers.ts'

/** The report as its related rows need it. */
export interface SavedReport {
  id: string
  account_id: string
  property_id: string
  survey_date: string
  report_date: string | null
}

const wrong = (index: number, field: string, message: string) => invalid({ [`recommendations.${String(index)}.${field}`]: [message] })

/** Makes the recommendations of a report those of the list, in its order. Throws `invalid` with the item that is wrong. */
export async function saveRecommendations(tx: WriteContext, report: SavedReport, inputs: readonly RecommendationInput[]): Promise<void> {
  const rows = await tx.db
    .selectFrom('risk_recommendations')
    .select(['id', 'number'])
    .where('risk_control_id', '=', report.id)
    .forUpdate()
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const ids = inputs.flatMap(({ id }) => id ?? [])
  await removeOthers(
    tx,
    rows.filter(({ id }) => !ids.includes(id)),
  )
  const numbers = new Set<string>()
  for (const [index, input] of inputs.entries()) {
    const stored = byId.get(input.id ?? '')
    if ((input.id ?? null) !== null && stored === undefined)
      throw wrong(index, 'title', 'This recommendation is no longer in the report. Remove it here.')
    const values = columnsOf(report, input, index)
    if (stored === undefined) numbers.add(await insertRecommendation(tx, report, input, { values, index, numbers }))
    else if (numbers.has(stored.number)) throw wrong(index, 'title', `Recommendation ${stored.number} is in the list twice.`)
    else {
      numbers.add(stored.number)
      await tx.db
        .updateTable('risk_recommendations')
        .set({ ...values, updated_at: tx.clock.now() })
        .where('id', '=', stored.id)
        .execute()
    }
  }
}

/** What users wrote about a recommendation must not be lost with it. */
async function removeOthers(tx: WriteContext, rows: readonly { id: string; number: string }[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const answered = await tx.db
    .selectFrom('risk_recommendation_responses')
    .select('recommendation_id')
    .where('recommendation_id', 'in', ids)
    .where('author_name', 'is not', null)
    .executeTakeFirst()
  const number = rows.find(({ id }) => id === answered?.recommendation_id)?.number
  if (number !== undefined)
    throw invalid({ recommendations: [`${number} has responses, so it cannot be removed. Give it the status Not applicable instead.`] })
  await tx.db.deleteFrom('risk_recommendations').where('id', 'in', ids).execute()
}

function columnsOf(report: SavedReport, input: RecommendationInput, index: number) {
  const { id: _id, number: _number, issued_on: issued, due_on: due, ...values } = input
  const issuedOn = issued ?? report.report_date ?? report.survey_date
  const dueOn = due ?? daysAfter(issuedOn, RECOMMENDATION_DUE_DAYS[input.priority])
  if (dueOn < issuedOn) throw wrong(index, 'due_on', 'The due date must not be before the date of issue.')
  return { ...values, issued_on: issuedOn, due_on: dueOn, position: index }
}

function daysAfter(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

/** Returns the number: that of the earlier report whose recommendation this one repeats, or the next one of the property. */
async function insertRecommendation(
  tx: WriteContext,
  report: SavedReport,
  { number }: RecommendationInput,
  { values, index, numbers }: { values: ReturnType<typeof columnsOf>; index: number; numbers: ReadonlySet<string> },
): Promise<string> {
  const earlier = number ? await findEarlier(tx, report, number) : undefined
  if (number && earlier === undefined) throw wrong(index, 'title', `No earlier report of this property has recommendation ${number}.`)
  if (number && numbers.has(number)) throw wrong(index, 'title', `Recommendation ${number} is in the list twice.`)
  const given = number || (await nextRecommendationNumber(tx, report.property_id, report.survey_date))
  const state = earlier !== undefined && isOpen(earlier.status) ? earlier : { status: 'open', completed_on: null }
  await tx.db
    .insertInto('risk_recommendations')
    .values({ ...values, risk_control_id: report.id, property_id: report.property_id, number: given, ...state })
    .execute()
  return given
}

async function findEarlier(tx: WriteContext, report: SavedReport, number: string) {
  const { rows } = await sql<{ status: string; completed_on: string | null }>`SELECT r.status, r.completed_on FROM risk_recommendations r
    JOIN risk_control ON risk_control.id = r.risk_control_id AND risk_control.deleted_at IS NULL
    WHERE r.property_id = ${report.property_id} AND r.number = ${number} AND risk_control.id <> ${report.id}
      AND ${visibleRiskControl(tx.viewer)}
    ORDER BY risk_control.survey_date DESC, risk_control.id DESC LIMIT 1`.execute(tx.db)
  return rows[0]
}
