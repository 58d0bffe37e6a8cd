import { sql, type Expression, type SqlBool } from 'kysely'
import { plural } from '#contract/format.ts'
import { SUBSCRIPTION_COMPANIES_MAX } from '#contract/limits.ts'
import { subscriptionCalls, type SubscriptionRow } from '#contract/subscriptions.ts'
import { rulesFrom, visibleWith } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, priceCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { implement } from '#server/engines/http/answer.ts'
import { field } from '#server/engines/record/form-fields.ts'
import { defineRecord, rowsOf } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { presetCompany, setCompanies } from './subscribed-companies.commands.ts'
import { conflict } from '#server/kernel/errors.ts'

type SubscriptionRecord = Awaited<ReturnType<typeof load>>[number]

interface StoredCompany {
  id: string
  name: string
  started_at: string
  ends_at: string
  own_price: number | null
}

const load = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .select(
      sql<StoredCompany[]>`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'started_at', x.created_at,
          'ends_at', x.created_at + make_interval(months => x.term_months), 'own_price', x.own_price) ORDER BY c.name), '[]')
        FROM company_subscriptions x JOIN companies c ON c.id = x.company_id AND c.deleted_at IS NULL
        WHERE x.subscription_id = subscriptions.id)`.as('companies'),
    )
    .where(where)
    .execute()

const subscriptionRules = rulesFrom({ update: 'update_subscriptions', delete: 'delete_subscriptions' })

const list = defineDatatable<SubscriptionRow>({
  model: 'subscriptions',
  marksNew: true,
  visible: visibleWith('view_subscriptions'),
  dependsOn: ['subscriptions', 'companies'],
  defaultSort: { column: 'name', order: 'asc' },
  columns: {
    name: { label: 'Subscription', primary: true, sort: { by: sql`subscriptions.name` } },
    price: { label: 'Price', align: 'right', width: 150, sort: { by: sql`subscriptions.price` }, exported: { label: 'Price (USD)' } },
    term: { label: 'Term', width: 120, sort: { by: sql`subscriptions.term_months` }, exported: { label: 'Term (months)', kind: 'number' } },
    companies: { label: 'Companies', align: 'right', width: 120 },
    created_at: { label: 'Created', width: 120, sort: { by: sql`subscriptions.created_at` } },
  },
  rows: rowsOf<SubscriptionRecord, SubscriptionRow>('subscriptions', load, subscriptionRules, (record, timezone) => ({
    name: textCell(record.name),
    price: priceCell(record.price),
    term: { value: record.term_months, text: plural(record.term_months, 'month') },
    companies: wholeCell(record.companies.length),
    created_at: dateCell(record.created_at, timezone),
  })),
})

const subscriptionRecord = defineRecord(subscriptionCalls, {
  table: 'subscriptions',
  list,
  opensTrashed: true,
  rules: subscriptionRules,
  load,
  present: ({ clock }, { name, price, term_months, companies }) => ({
    name,
    price,
    term_months,
    companies: companies.map(({ started_at, ends_at, ...company }) => ({
      ...company,
      started_at: new Date(started_at).toISOString(),
      ends_at: new Date(ends_at).toISOString(),
      state: new Date(ends_at) > clock.now() ? ('active' as const) : ('inactive' as const),
    })),
  }),
  search: {
    name: sql`subscriptions.name`,
    detail: sql`(SELECT count(*) || CASE count(*) WHEN 1 THEN ' company' ELSE ' companies' END
        FROM company_subscriptions x JOIN companies c ON c.id = x.company_id AND c.deleted_at IS NULL
        WHERE x.subscription_id = subscriptions.id)
      || ' · ' || to_char(price, CASE WHEN price = trunc(price) THEN 'FM$999,999,990' ELSE 'FM$999,999,990.00' END)`,
  },
  form: async (ctx, record, { company_id: preset }) => [
    {
      title: 'Subscription',
      fields: [
        field('name', 'Name', 'text', record?.name ?? '', { required: true, max: 120 }),
        field('price', 'Price', 'money', record?.price ?? 0, { help: 'US dollars for one term.', cents: true }),
        field('term_months', 'Term in months', 'number', record?.term_months ?? 12, { required: true, whole: true }),
        ...companiesField(record?.companies ?? (await presetCompany(ctx, preset))),
      ],
    },
  ],
  comparable: (record) => ({ ...record, companies: record.companies.map(({ id }) => id) }),
  beforeSave: ({ viewer }, { kind, input: { companies: _companies, ...columns } }) =>
    kind === 'created' ? { ...columns, created_by: viewerId(viewer) } : columns,
  afterSave: async (tx, id, { input, before }) => {
    if (input.companies !== undefined) await setCompanies(tx, { id, companies: before?.companies ?? [] }, input.companies)
  },
  changeScope: () => ({ everywhere: true }),
  alsoShownIn: ['companies'],
  uniqueName: { column: 'name' },
  beforeTrash: async (tx, records) => {
    const used = records.find(({ companies }) => companies.length > 0)
    if (used !== undefined) {
      const count = used.companies.length
      const users = `${plural(count, 'company', 'companies')} ${count === 1 ? 'uses' : 'use'}`
      throw conflict(`${users} the subscription ${used.name}. Give ${count === 1 ? 'it' : 'them'} another subscription first.`)
    }
    // A restored company has its subscription again.
    const ids = records.map(({ id }) => id)
    const others = tx.db.selectFrom('company_subscriptions').select('subscription_id').where('subscription_id', 'in', ids)
    const retained = await others.executeTakeFirst()
    const name = records.find(({ id }) => id === retained?.subscription_id)?.name
    if (name !== undefined)
      throw conflict(
        `A company in the trash uses the subscription ${name}. Permanently delete the company, or restore it and give it another subscription.`,
      )
  },
  beforeDestroy: async (tx, records) => {
    const ids = records.map(({ id }) => id)
    const used = await tx.db.selectFrom('company_subscriptions').select('company_id').where('subscription_id', 'in', ids).executeTakeFirst()
    if (used !== undefined) throw conflict('A company still has this subscription. Give it another one first.')
  },
})

/** Absent for a subscription of more companies than can be chosen: a save would take it from the others. */
const companiesField = (companies: readonly { id: string; name: string }[]) =>
  companies.length > SUBSCRIPTION_COMPANIES_MAX
    ? []
    : [
        field(
          'companies',
          'Companies',
          'search',
          companies.map(({ id }) => id),
          {
            search: 'companies',
            multiple: true,
            labels: Object.fromEntries(companies.map(({ id, name }) => [id, name])),
            help: 'For a company that is added, the term starts today. One that is removed has no subscription.',
          },
        ),
      ]

export const subscriptionRoutes = implement(
  subscriptionCalls,
  recordHandlers(subscriptionRecord, subscriptionCalls),
  requireById(subscriptionRecord),
)
