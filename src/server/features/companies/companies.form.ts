import { LANGUAGES, TIMEZONES } from '#contract/companies.ts'
import type { Context } from '#server/engines/context.ts'
import { buildForm, field, optionsOf } from '#server/engines/form/build-form.ts'
import type { CompanyRecord } from './companies.queries.ts'

export async function companyForm(ctx: Context, record?: CompanyRecord) {
  const subscriptions = await ctx.db
    .selectFrom('subscriptions')
    .select(['id', 'name'])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  return buildForm({
    model: 'companies',
    id: record?.id,
    title: record === undefined ? 'New company' : 'Edit company',
    version: record?.version,
    sections: [
      {
        title: 'Company',
        fields: [
          field('name', 'Company name', 'text', record?.name ?? '', { required: true, max: 120 }),
          field('language', 'Language', 'select', record?.language ?? 'en', { options: optionsOf(LANGUAGES), required: true }),
          field('timezone', 'Time zone', 'select', record?.timezone ?? 'America/New_York', {
            options: TIMEZONES.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
            required: true,
          }),
          field('subscription_id', 'Subscription', 'select', record?.subscription_id ?? '', {
            options: subscriptions.map(({ id, name }) => ({ value: id, label: name })),
          }),
        ],
      },
    ],
  })
}
