import { RiskControlInputSchema } from '#contract/risk-control.ts'
import type { Context } from '#server/engines/context.ts'
import { createReport } from '#server/features/risk-control/risk-control.record.ts'

/** The id of a status of risk control reports, by its name in the company that owns the property's account. */
export async function reportStatus({ db }: Context, propertyId: string, name: string): Promise<string> {
  const { id } = await db
    .selectFrom('statuses')
    .innerJoin('accounts', 'accounts.company_id', 'statuses.company_id')
    .innerJoin('account_properties', 'account_properties.account_id', 'accounts.id')
    .select('statuses.id')
    .where('account_properties.id', '=', propertyId)
    .where('statuses.model_type', '=', 'risk_control')
    .where('statuses.name', '=', name)
    .executeTakeFirstOrThrow()
  return id
}

/** A report of a property, issued unless `status` says otherwise. */
export async function makeReport(
  ctx: Context,
  propertyId: string,
  { status = 'Issued', ...values }: Record<string, unknown> & { status?: string } = {},
) {
  const sent = { title: 'Survey', survey_date: '2026-03-05', ...values, property_id: propertyId }
  const input = RiskControlInputSchema.parse({ ...sent, status_id: await reportStatus(ctx, propertyId, status) })
  return createReport(ctx, input)
}
