import { randomUUID } from 'node:crypto'
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { DEFAULT_ROLE_NAMES } from '#contract/default-roles.ts'
import { sentenceCase } from '#contract/format.ts'
import { permissionLabel, permissionTexts } from '#contract/permission-labels.ts'
import { PERMISSION_NAMES, isPermission } from '#contract/permissions.ts'
import { roleCalls, type RoleRow } from '#contract/roles.ts'
import { choosesRoleCompany, givableRoles, isRequiredRole, roleRules, visibleRoles } from '#server/access/roles.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { mayGive, visibleUsers } from '#server/access/users.ts'
import { can, viewerId, type Viewer } from '#server/access/viewer.ts'
import { findVisibleCompany } from '#server/access/require.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { dateCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { implement } from '#server/engines/http/answer.ts'
import { field } from '#server/engines/record/form-fields.ts'
import { defineRecord, rowsOf } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { roleUse, textOfUse } from './role-uses.queries.ts'

type RoleRecord = Awaited<ReturnType<typeof load>>[number]

const load = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('roles')
    .leftJoin('companies', 'companies.id', 'roles.company_id')
    .selectAll('roles')
    .select([
      'companies.name as company_name',
      sql<number>`(SELECT count(*) FROM user_roles x JOIN users u ON u.id = x.user_id AND u.deleted_at IS NULL AND u.kind = 'member' WHERE x.role_id = roles.id)`.as(
        'users',
      ),
    ])
    .where(where)
    .execute()

const ALL_COMPANIES = 'All companies'

const list = defineDatatable<RoleRow>({
  model: 'roles',
  marksNew: true,
  visible: visibleRoles,
  dependsOn: ['roles', 'users', 'companies'],
  defaultSort: { column: 'label', order: 'asc' },
  columns: {
    label: { label: 'Role', primary: true, sort: { by: sql`roles.label` } },
    name: { label: 'Key', default: false, sort: { by: sql`roles.name` } },
    company: {
      label: 'Company',
      width: 240,
      sort: { by: sql`co.name`, join: sql`LEFT JOIN companies co ON co.id = roles.company_id`, nullsLast: true },
    },
    users: { label: 'Users', align: 'right', width: 100 },
    permissions: { label: 'Permissions', align: 'right', width: 120, sort: { by: sql`cardinality(roles.permissions)` } },
    created_at: { label: 'Created', width: 120, sort: { by: sql`roles.created_at` } },
  },
  rows: rowsOf<RoleRecord, RoleRow>('roles', load, roleRules, (record, timezone) => ({
    label: textCell(record.label),
    name: textCell(record.name),
    company: { value: record.company_name, text: record.company_name ?? ALL_COMPANIES },
    users: wholeCell(record.users),
    permissions: wholeCell(record.permissions.length),
    created_at: dateCell(record.created_at, timezone),
  })),
})

const roleRecord = defineRecord(roleCalls, {
  table: 'roles',
  list,
  opensTrashed: true,
  changesRights: true,
  rules: roleRules,
  cannotDelete:
    'You cannot delete a role that the product needs, one with permissions that you do not have, or one that other companies use.',
  load,
  present: async (ctx, { id: roleId, name, label, company_id: id, company_name, permissions, users }) => ({
    name,
    label,
    company: id === null || company_name === null ? null : { id, name: company_name },
    permissions,
    users,
    companies: await companiesOf(ctx, roleId),
  }),
  search: {
    name: sql`roles.label`,
    // The company of the role, or those that use it, as far as the viewer sees them.
    detail: (viewer) => sql`CASE WHEN roles.company_id IS NOT NULL THEN '1 company' ELSE
      (SELECT count(*) || CASE count(*) WHEN 1 THEN ' company' ELSE ' companies' END
        FROM companies WHERE ${hasUsersOf(viewer, sql`roles.id`)}) END`,
    // What the list shows, and what the viewer can give.
    visible: (viewer) =>
      sql<SqlBool>`(${visibleRoles(viewer)} OR ${givableRoles(viewer, viewer.kind === 'user' ? viewer.companyId : null)})`,
  },
  form: async ({ db, viewer }, record, { company_id: preset }) => [
    {
      title: 'Role',
      fields: [
        field('label', 'Name', 'text', record?.label ?? '', {
          required: true,
          max: 60,
          ...(record !== undefined && isRequiredRole(record) ? { disabled: true, help: 'The product needs this role by its name.' } : {}),
        }),
        ...(record === undefined && choosesRoleCompany(viewer)
          ? [companyField(typeof preset === 'string' && isUuid(preset) ? await findVisibleCompany(db, viewer, preset) : undefined)]
          : []),
        field('permissions', 'Permissions', 'multiselect', record?.permissions ?? [], {
          required: true,
          multiple: true,
          options: permissionOptions(viewer),
        }),
      ],
    },
  ],
  changeScope: ({ viewer }, { company_id }) =>
    company_id === null ? { everywhere: true } : { for: viewer.kind === 'user' ? [company_id, viewer.companyId] : [company_id] },
  alsoShownIn: ['users'],
  beforeSave: async (tx, { kind, input: { label, company_id, permissions }, before }) => {
    if (permissions !== undefined && !mayGive(tx.viewer, permissions))
      throw invalid({ permissions: ['You can only give permissions that you have yourself.'] })
    if (before !== undefined && permissions !== undefined) await requireReversible(tx, before, permissions)
    if (before !== undefined && label !== undefined && label !== before.label && isRequiredRole(before))
      throw invalid({ label: ['This role cannot be renamed: the product needs it.'] })
    if (before !== undefined && company_id !== undefined && company_id !== before.company_id)
      throw invalid({ company_id: ['A role stays in its company. Create a new role instead.'] })
    const companyId = before === undefined ? await owner(tx, company_id ?? null) : before.company_id
    const columns = { label, permissions: permissions === undefined ? undefined : [...permissions] }
    return kind === 'created'
      ? { ...columns, created_by: viewerId(tx.viewer), name: await keyOf(tx, label ?? '', companyId), company_id: companyId }
      : columns
  },
  uniqueName: { column: 'label', within: 'company_id' },
  beforeTrash: async (tx, records) => {
    const used = records.find(({ users }) => users > 0)
    if (used !== undefined) throw conflict(`Users still have the role ${used.label}. Give them another role first.`)
    const use = await roleUse(
      tx,
      records.map(({ id }) => id),
    )
    if (use !== undefined) throw conflict(textOfUse(use))
  },
  beforeDestroy: async (tx, records) => {
    const ids = records.map(({ id }) => id)
    await tx.db.deleteFrom('user_roles').where('role_id', 'in', ids).execute()
  },
})

/** Whether a live company has users of the role, as far as the viewer sees both. */
const hasUsersOf = (
  viewer: Viewer,
  roleId: RawBuilder<unknown>,
) => sql<SqlBool>`companies.deleted_at IS NULL AND ${visibleCompanies(viewer)}
  AND EXISTS (SELECT 1 FROM users JOIN user_roles x ON x.user_id = users.id WHERE users.company_id = companies.id
    AND users.deleted_at IS NULL AND x.role_id = ${roleId} AND ${visibleUsers(viewer)})`

const companiesOf = ({ db, viewer }: Context, roleId: string) =>
  db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where(hasUsersOf(viewer, sql`${roleId}`))
    .orderBy('name')
    .execute()

export const roleRoutes = implement(roleCalls, recordHandlers(roleRecord, roleCalls), requireById(roleRecord))

/**
 * Rejects a change that takes a permission from its editor: users only give permissions that they have, so the editor could not reverse
 * it. Therefore a user who can repair every role always remains.
 */
async function requireReversible({ db, viewer }: WriteContext, role: RoleRecord, permissions: readonly string[]): Promise<void> {
  if (viewer.kind !== 'user') return
  const held = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['roles.id', 'roles.permissions'])
    .where('user_roles.user_id', '=', viewer.userId)
    .where('roles.deleted_at', 'is', null)
    .execute()
  if (!held.some(({ id }) => id === role.id)) return
  const remaining = new Set([...permissions, ...held.flatMap((own) => (own.id === role.id ? [] : own.permissions))])
  const lost = role.permissions.filter((name) => isPermission(name) && !remaining.has(name))
  if (lost.length > 0)
    throw invalid({
      permissions: [
        `You have this role. You would lose these permissions and could not give them back: ${lost.slice(0, NAMED_MAX).map(permissionLabel).join('; ')}${lost.length > NAMED_MAX ? `; and ${lost.length - NAMED_MAX} more` : ''}.`,
      ],
    })
}

const companyField = (company: { id: string; name: string } | undefined) =>
  field('company_id', 'Company', 'search', company?.id ?? '', {
    search: 'companies',
    labels: company === undefined ? {} : { [company.id]: company.name },
    help: 'If empty, all companies can use the role.',
  })

/** More of them are counted. */
const NAMED_MAX = 5

const sameCompany = (companyId: string | null) => sql<SqlBool>`roles.company_id IS NOT DISTINCT FROM ${companyId}::uuid`

/** A key that no other role of the company has. Code finds the default roles by their key, so no other role can have one of these. */
async function keyOf({ db }: WriteContext, label: string, companyId: string | null): Promise<string> {
  const key = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  if (DEFAULT_ROLE_NAMES.some((name) => name === key)) throw invalid({ label: ['This name is reserved. Choose another one.'] })
  const used =
    key !== '' && (await db.selectFrom('roles').select('id').where('name', '=', key).where(sameCompany(companyId)).executeTakeFirst())
  return key !== '' && used === undefined ? key : `${key || 'role'}_${randomUUID().slice(0, KEY_SUFFIX_CHARACTERS)}`
}

const KEY_SUFFIX_CHARACTERS = 8

/** The company of a new role: the viewer's own, unless the viewer may choose. */
async function owner({ db, viewer }: WriteContext, companyId: string | null): Promise<string | null> {
  if (!choosesRoleCompany(viewer)) {
    const own = viewer.kind === 'user' ? viewer.companyId : null
    if (companyId !== null && companyId !== own) throw invalid({ company_id: ['You can only add roles to your own company.'] })
    return own
  }
  if (companyId === null) return null
  if ((await findVisibleCompany(db, viewer, companyId)) === undefined)
    throw invalid({ company_id: ['Choose a company, or leave the field empty.'] })
  return companyId
}

/** The permissions that the viewer can give; a role with others cannot be edited. */
const permissionOptions = (viewer: Viewer) =>
  PERMISSION_NAMES.filter((name) => can(viewer, name)).map((value) => {
    const { heading: group, label } = permissionTexts(value)
    return { value, label: sentenceCase(label), ...(group === undefined ? {} : { group }) }
  })
