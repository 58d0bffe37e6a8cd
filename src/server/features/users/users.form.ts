import { visibleCompanies } from '#server/access/companies.ts'
import { seesAllCompanies } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { buildForm, field } from '#server/engines/form/build-form.ts'
import { givableRoles, type UserRecord } from './users.queries.ts'

/** Names, address, company, roles and the second factor; a password only for a new user (decisions Q46, Part D). */
export async function userForm(ctx: Context, record: UserRecord | undefined, companyId: string | undefined) {
  const company = await companyOf(ctx, record, companyId)
  return buildForm({
    model: 'users',
    id: record?.id,
    title: record === undefined ? 'New user' : 'Edit user',
    version: record?.version,
    sections: [
      {
        title: 'Person',
        fields: [
          field('first_name', 'First name', 'text', record?.first_name ?? '', { required: true, max: 60 }),
          field('last_name', 'Last name', 'text', record?.last_name ?? '', { required: true, max: 60 }),
          field('email', 'Email', 'email', record?.email ?? '', { required: true, max: 254 }),
          field('cell_phone', 'Cell phone', 'text', record?.cell_phone ?? '', { max: 30 }),
        ],
      },
      { title: 'Company and roles', fields: [companyField(ctx, company), await rolesField(ctx, record, company?.id ?? null)] },
      { title: 'Sign-in', fields: signInFields(record) },
    ],
  })
}

interface Choice {
  id: string
  name: string
}

/** Of the user, else the one asked for, else the viewer's own. */
async function companyOf(ctx: Context, record: UserRecord | undefined, asked: string | undefined): Promise<Choice | undefined> {
  if (record !== undefined) return { id: record.company_id, name: record.company_name }
  const id = asked ?? (ctx.viewer.kind === 'user' ? ctx.viewer.companyId : undefined)
  if (id === undefined) return undefined
  return ctx.db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(visibleCompanies(ctx.viewer))
    .executeTakeFirst()
}

function companyField(ctx: Context, company: Choice | undefined) {
  if (seesAllCompanies(ctx.viewer)) {
    return field('company_id', 'Company', 'search', company?.id ?? '', {
      search: 'companies',
      required: true,
      labels: company === undefined ? {} : { [company.id]: company.name },
    })
  }
  return field('company_id', 'Company', 'select', company?.id ?? '', {
    required: true,
    options: company === undefined ? [] : [{ value: company.id, label: company.name }],
  })
}

async function rolesField(ctx: Context, record: UserRecord | undefined, companyId: string | null) {
  const own = record !== undefined && record.id === viewerId(ctx.viewer)
  const roles = await givableRoles(ctx, companyId)
  const known = new Map([...roles, ...(record?.roles ?? [])].map(({ id, label }) => [id, label]))
  return field('roles', 'Roles', 'multiselect', record?.roles.map(({ id }) => id) ?? [], {
    required: true,
    multiple: true,
    options: [...known].map(([value, label]) => ({ value, label })),
    ...(own ? { disabled: true, help: 'Your own roles are changed by somebody else.' } : {}),
  })
}

function signInFields(record: UserRecord | undefined) {
  return [
    field('enable_2fa', 'Ask for a code by email at sign-in', 'checkbox', record?.enable_2fa ?? false),
    field('password', record === undefined ? 'Password' : 'New password', 'password', '', {
      help:
        record === undefined
          ? 'When left empty, the welcome mail carries a link to set one.'
          : 'Leave empty to keep the present one. A new one ends all sessions of this user.',
    }),
  ]
}
