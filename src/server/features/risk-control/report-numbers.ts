import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'

const DIGITS = { report: 3, recommendation: 2 } as const
const padded = (number: number, digits: number) => String(number).padStart(digits, '0')

/**
 * The next number RC-2026-001 of the account. Its counter is locked until the end of the transaction, so that two users get different
 * numbers. Numbers that users chose themselves are skipped.
 */
export async function nextReportNumber(tx: WriteContext, accountId: string, year: string): Promise<string> {
  for (;;) {
    const { rows } = await sql<{ last: number }>`INSERT INTO risk_control_numbers (account_id, year, last) VALUES (${accountId}, ${year}, 1)
      ON CONFLICT (account_id, year) DO UPDATE SET last = risk_control_numbers.last + 1 RETURNING last`.execute(tx.db)
    const number = `RC-${year}-${padded(rows[0]?.last ?? 1, DIGITS.report)}`
    const used = await tx.db
      .selectFrom('risk_control')
      .select('id')
      .where('account_id', '=', accountId)
      .where(sql`lower(report_number)`, '=', number.toLowerCase())
      .executeTakeFirst()
    if (used === undefined) return number
  }
}

/** The next number 26-03-01 of the property, by the month of the survey. A number is never given twice, even after its report was deleted. */
export async function nextRecommendationNumber(tx: WriteContext, propertyId: string, surveyDate: string): Promise<string> {
  const month = surveyDate.slice(2, 7)
  const { rows } = await sql<{ last: number }>`INSERT INTO risk_recommendation_numbers (property_id, month, last)
    VALUES (${propertyId}, ${month}, 1)
    ON CONFLICT (property_id, month) DO UPDATE SET last = risk_recommendation_numbers.last + 1 RETURNING last`.execute(tx.db)
  return `${month}-${padded(rows[0]?.last ?? 1, DIGITS.recommendation)}`
}
