import { sql, type Expression, type SqlBool } from 'kysely'
import { plural } from '#contract/format.ts'
import { subscriptionCalls, type SubscriptionRow } from '#contract/subscriptions.ts'
import { rulesFrom, visibleWith } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, priceCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { implement } from '#server/engines/http/answer.ts'
import { field } from '#server/engines/record/form-fields.ts'
import { defineRecord, rowsOf } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { conflict } from '#server/kernel/errors.ts'

type SubscriptionRecord = Awaited<ReturnType<typeof load>>[number]

const load = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .select(
      sql<{ id: string; name: string }[]>`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) ORDER BY c.name), '[]')
        FROM company_subscriptions x JOIN companies c ON c.id = x.company_id AND c.deleted_at IS NULL
        WHERE x.subscription_id = subscriptions.id)`.as('companies'),
    )
    .where(where)
    .execute()

const subscriptionRules = rulesFrom({ update: 'update_subscriptions', delete: 'delete_subscriptions' })

const list = defineDatatable<SubscriptionRow>({
  model: 'subscriptions',
  visible: visibleWith('view_subscriptions'),
  dependsOn: ['subscriptions', 'companies'],
  defaultSort: { column: 'name', order: 'asc' },
  columns: {
    name: { label: 'Subscription', primary: true, sort: { by: sql`subscriptions.name` } },
    price: { label: 'Price', align: 'right', width: 150, sort: { by: sql`subscriptions.price` } },
    term: { label: 'Term', width: 120, sort: { by: sql`subscriptions.term_months` } },
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
  present: (_ctx, { name, price, term_months, companies }) => ({ name, price, term_months, companies }),
  search: {
    name: sql`subscriptions.name`,
    detail: sql`(SELECT count(*) || CASE count(*) WHEN 1 THEN ' company' ELSE ' companies' END
        FROM company_subscriptions x JOIN companies c ON c.id = x.company_id AND c.deleted_at IS NULL
        WHERE x.subscription_id = subscriptions.id)
      || ' · ' || to_char(price, CASE WHEN price = trunc(price) THEN 'FM$999,999,990' ELSE 'FM$999,999,990.00' END)`,
  },
  form: (_ctx, record) => [
    {
      title: 'Subscription',
      fields: [
        field('name', 'Name', 'text', record?.name ?? '', { required: true, max: 120 }),
        field('price', 'Price', 'money', record?.price ?? 0, { help: 'US dollars for one term.', cents: true }),
        field('term_months', 'Term in months', 'number', record?.term_months ?? 12, { required: true }),
      ],
    },
  ],
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

export const subscriptionRoutes = implement(
  subscriptionCalls,
  recordHandlers(subscriptionRecord, subscriptionCalls),
  requireById(subscriptionRecord),
)
