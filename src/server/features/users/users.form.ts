import { findVisibleCompany } from '#server/access/require.ts'
import { seesAllCompanies } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { field } from '#server/engines/record/form-fields.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { loadGivableRoles, type UserRecord } from './users.queries.ts'

/** The sections of the form; `company_id` among the presets is the company of a new user, or the one that a user is about to move to. */
export async function userForm(ctx: Context, record: UserRecord | undefined, { company_id }: Record<string, unknown>) {
  const preset = typeof company_id === 'string' && isUuid(company_id) ? company_id : undefined
  const company = await companyOf(ctx, record, preset)
  return [
    {
      title: 'Person',
      fields: [
        field('first_name', 'First name', 'text', record?.first_name ?? '', { required: true, max: 60 }),
        field('last_name', 'Last name', 'text', record?.last_name ?? '', { required: true, max: 60 }),
        field('email', 'Email', 'email', record?.email ?? '', { required: true, max: 254 }),
        field('cell_phone', 'Cell phone', 'text', record?.cell_phone ?? '', { max: 30 }),
      ],
    },
    { title: 'Company and roles', fields: [companyField(ctx, company), await rolesField(ctx, record, preset ?? company?.id ?? null)] },
    { title: 'Sign-in', fields: signInFields(record) },
  ]
}

interface Choice {
  id: string
  name: string
}

async function companyOf(ctx: Context, record: UserRecord | undefined, preset: string | undefined): Promise<Choice | undefined> {
  if (record !== undefined) return { id: record.company_id, name: record.company_name }
  const id = preset ?? (ctx.viewer.kind === 'user' ? ctx.viewer.companyId : undefined)
  if (id === undefined) return undefined
  return findVisibleCompany(ctx.db, ctx.viewer, id)
}

function companyField({ viewer }: Context, company: Choice | undefined) {
  const choice = seesAllCompanies(viewer)
    ? { search: 'companies' as const, narrows: true, labels: company === undefined ? {} : { [company.id]: company.name } }
    : { options: company === undefined ? [] : [{ value: company.id, label: company.name }] }
  return field('company_id', 'Company', seesAllCompanies(viewer) ? 'search' : 'select', company?.id ?? '', { required: true, ...choice })
}

async function rolesField(ctx: Context, record: UserRecord | undefined, companyId: string | null) {
  const own = record !== undefined && record.id === viewerId(ctx.viewer)
  const roles = await loadGivableRoles(ctx, companyId)
  const held = record === undefined || companyId !== record.company_id ? [] : record.roles
  const known = new Map([...roles, ...held].map(({ id, label }) => [id, label]))
  return field('roles', 'Roles', 'multiselect', record?.roles.map(({ id }) => id) ?? [], {
    required: true,
    multiple: true,
    options: [...known].map(([value, label]) => ({ value, label })),
    ...(own ? { disabled: true, help: 'Ask an administrator to change your roles.' } : {}),
  })
}

function signInFields(record: UserRecord | undefined) {
  const current = field('current_password', 'Your current password', 'password', '', {
    autocomplete: 'current-password',
    help: 'Required to change the email, the password or the code at sign-in.',
  })
  return [
    field('enable_2fa', 'Ask for a code by email at sign-in', 'checkbox', record?.enable_2fa ?? false),
    field('password', record === undefined ? 'Password' : 'New password', 'password', '', {
      help:
        record === undefined
          ? 'If empty, the welcome email contains a link to set one, or leads to single sign-on if the company allows nothing else.'
          : 'Leave empty to keep the current one. A new one ends all sessions of this user.',
    }),
    ...(record === undefined ? [] : [current]),
  ]
}
