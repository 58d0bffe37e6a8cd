import { LANGUAGES, TIMEZONES } from '#contract/companies.ts'
import { optionsOf } from '#contract/form.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { field } from '#server/engines/record/form-fields.ts'
import { subscriptionOptions } from './companies.datatable.ts'
import type { CompanyRecord } from './companies.queries.ts'

/** The form of a company; its subscription is in it for viewers who can change subscriptions. */
export async function companyForm(ctx: Context, record: CompanyRecord | undefined) {
  return [
    {
      title: '',
      fields: [
        field('name', 'Company Name', 'text', record?.name ?? '', { required: true, max: 120 }),
        field('language', 'Language', 'select', record?.language ?? 'en', { options: optionsOf(LANGUAGES), required: true }),
        field('timezone', 'Time Zone', 'select', record?.timezone ?? 'America/New_York', {
          options: TIMEZONES.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
          required: true,
        }),
      ],
    },
    {
      title: 'Sign-in',
      fields: [
        field(
          'email_instead_of_app',
          'Users with an authenticator app may sign in with a code by email instead',
          'checkbox',
          record?.email_instead_of_app ?? false,
        ),
        ...(record === undefined ? [] : [CURRENT_PASSWORD]),
      ],
    },
    { title: 'Subscription', fields: can(ctx.viewer, 'update_subscriptions') ? await subscriptionFields(ctx, record) : [] },
  ]
}

const CURRENT_PASSWORD = field('current_password', 'Your current password', 'password', '', {
  autocomplete: 'current-password',
  help: 'Required to change this.',
})

const subscriptionFields = async (ctx: Context, record: CompanyRecord | undefined) => [
  field('subscription_id', 'Subscription', 'select', record?.subscription_id ?? '', { options: await subscriptionOptions(ctx) }),
  field('subscription_start', 'Start of the term', 'date', record?.subscription_start ?? '', {
    help: 'A new subscription starts today unless you enter a date.',
  }),
  field('subscription_price', 'Own price', 'money', record?.subscription_price ?? '', {
    cents: true,
    help: 'US dollars for one term. If empty, the price of the subscription.',
  }),
]
