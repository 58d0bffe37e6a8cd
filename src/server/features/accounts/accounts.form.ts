import { ACCOUNT_TYPES, RETRIEVAL_METHODS } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import { optionsOf } from '#contract/form.ts'
import { COMPANY_NAME_PREFIX_MIN } from '#contract/limits.ts'
import { ownsAccount, seesDetails } from '#server/access/accounts.ts'
import { seesAllCompanies } from '#server/access/scope.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { field } from '#server/engines/record/form-fields.ts'
import type { AccountRecord } from './accounts.queries.ts'
import { isCollecting } from './collection.ts'

const { upload, assisted } = RETRIEVAL_METHODS
const METHODS = { new: optionsOf({ upload, assisted }), stored: optionsOf(RETRIEVAL_METHODS) }

/** Standard accounts have broker, carrier, dates and details; managed ones a name, a number and how documents are collected. */
export async function accountForm(ctx: Context, record: AccountRecord | undefined, presets: Record<string, unknown>) {
  const type = record?.type ?? newType(ctx, presets['type'])
  const market = type === 'standard' ? marketFields(ctx, record) : []
  const details =
    type === 'standard' && seesDetails(ctx.viewer) ? [field('meta', 'Further details', 'pairs', record?.meta ?? [], { max: 20 })] : []
  return [
    { title: 'Account', fields: accountFields(ctx, record, type) },
    { title: 'Market and term', fields: market },
    { title: 'Details', fields: details },
    { title: 'People and documents', fields: await peopleFields(ctx, record) },
  ]
}

const newType = ({ viewer }: Context, requested: unknown) =>
  requested === 'managed' || !can(viewer, 'create_standard_accounts') ? 'managed' : 'standard'

function accountFields(ctx: Context, record: AccountRecord | undefined, type: 'standard' | 'managed') {
  const choosesMethod = type === 'managed' && can(ctx.viewer, 'create_standard_accounts')
  const choosesCompany = record === undefined && seesAllCompanies(ctx.viewer)
  return [
    field('name', 'Account name', 'text', record?.name ?? '', { required: true, max: 160 }),
    field('account_number', 'Account number', 'text', record?.account_number ?? '', { max: 60 }),
    ...(record === undefined ? [typeField(ctx, type)] : []),
    ...(choosesMethod
      ? [
          field('file_retrieval_method', 'How documents are collected', 'select', record?.file_retrieval_method ?? 'upload', {
            options: record === undefined ? METHODS.new : METHODS.stored,
            required: true,
            disabled: record !== undefined && !isCollecting(record),
          }),
        ]
      : []),
    ...(choosesCompany ? [field('company_id', 'Company', 'search', '', { search: 'companies', help: 'If empty, your own company.' })] : []),
  ]
}

function typeField(ctx: Context, type: 'standard' | 'managed') {
  const allowed = {
    ...(can(ctx.viewer, 'create_standard_accounts') ? { standard: ACCOUNT_TYPES.standard } : {}),
    ...(can(ctx.viewer, 'create_simple_accounts') ? { managed: ACCOUNT_TYPES.managed } : {}),
  }
  return field('type', 'Type', 'select', type, { options: optionsOf(allowed), required: true })
}

function marketFields(ctx: Context, record: AccountRecord | undefined) {
  return [
    ...partyFields(ctx, record, 'broker', 'Broker'),
    ...partyFields(ctx, record, 'carrier', 'Carrier'),
    field('effective_date', 'Effective date', 'date', record?.effective_date ?? ''),
    field('expiration_date', 'Expiration date', 'date', record?.expiration_date ?? ''),
    field('website', 'Website', 'text', record?.website ?? '', { placeholder: 'https://' }),
  ]
}

/** A company, or else a name. */
function partyFields({ viewer }: Context, record: AccountRecord | undefined, party: 'broker' | 'carrier', label: string) {
  const id = record?.[`${party}_company_id`] ?? ''
  const name = record?.[`${party}_name`] ?? ''
  const isFixed = record !== undefined && !ownsAccount(viewer, record)
  return [
    field(`${party}_company_id`, label, 'search', id, {
      search: 'company_names',
      labels: id === '' ? {} : { [id]: name },
      placeholder: `Type at least ${COMPANY_NAME_PREFIX_MIN} letters`,
      disabled: isFixed || !can(viewer, companyCalls.names.can),
    }),
    field(`${party}_name`, `${label}, when not in the list`, 'text', id === '' ? name : '', { max: 120, disabled: isFixed }),
  ]
}

async function peopleFields(ctx: Context, record: AccountRecord | undefined) {
  const users =
    record === undefined
      ? []
      : await ctx.db
          .selectFrom('account_users')
          .innerJoin('users', 'users.id', 'account_users.user_id')
          .select(['users.id', 'users.full_name'])
          .where('account_id', '=', record.id)
          .where('users.deleted_at', 'is', null)
          .orderBy('users.full_name')
          .execute()
  const labels = Object.fromEntries(users.map(({ id, full_name }) => [id, full_name ?? '']))
  return [
    field(
      'users',
      'Users with access',
      'search',
      users.map(({ id }) => id),
      {
        search: 'users',
        multiple: true,
        labels,
        help: 'In addition to everyone at your company',
        disabled: record !== undefined && !ownsAccount(ctx.viewer, record),
      },
    ),
    field('send_new_files_notification', 'Notify users about new documents', 'checkbox', record?.send_new_files_notification ?? false),
    field('show_vanity_by_default', 'Show descriptive names of documents', 'checkbox', record?.show_vanity_by_default ?? false),
  ]
}
