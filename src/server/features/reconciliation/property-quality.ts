import type { QualityScore } from '#contract/checks.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { seesDiscrepancies } from '#server/access/discrepancies.ts'
import type { Context } from '#server/engines/context.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import { CHECKED_COLUMNS } from './checked-property.ts'
import { dayIn } from './months.ts'
import { NO_DOUBTS, scoreProperty } from './quality-score.ts'
import { readAccount, readEvidence } from './read-register.ts'
import { readDoubts } from './store-findings.ts'

/** The score of a property as it stands, with how each point was lost. Working data, like the differences it counts. */
export async function qualityOf(ctx: Context, id: string): Promise<QualityScore> {
  const property = await ctx.db
    .selectFrom('account_properties')
    .select(CHECKED_COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(visibleProperties(ctx.viewer))
    .executeTakeFirst()
  const account = property && (await readAccount(ctx.db, property.account_id))
  if (property === undefined || account === undefined) throw notFound('Property')
  if (!seesDiscrepancies(ctx.viewer)) throw forbidden()
  const doubts = await readDoubts(ctx.db, property.account_id, id)
  const evidenceOf = await readEvidence(ctx.db, property.account_id, id)
  return scoreProperty(property, {
    doubts: doubts.get(id) ?? NO_DOUBTS,
    evidence: evidenceOf(id),
    today: dayIn(account.timezone, ctx.clock.now()),
  })
}
