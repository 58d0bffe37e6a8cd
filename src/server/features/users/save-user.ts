import type { z } from 'zod'
import type { UserInput } from '#contract/users.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Patch, Save } from '#server/engines/record/define-record.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { conflict, forbidden, invalid } from '#server/kernel/errors.ts'
import { endSessions } from '../session/session.commands.ts'
import { loadGivableRoles, type UserRecord } from './users.queries.ts'
import { welcome } from './welcome.commands.ts'

type Input = z.output<typeof UserInput>
type UserSave = Save<UserRecord, Input>

/** Replaces the password of the input by its hash, before the transaction: hashing takes long and would hold the user's lock. */
export async function hashNewPassword(ctx: Context, input: Patch<Input>, before: UserRecord | undefined): Promise<Patch<Input>> {
  const { password } = input
  if (password === undefined) return input
  const email = input.email ?? before?.email
  if (password.toLowerCase() === email?.toLowerCase()) throw invalid({ password: ['The password must not be the email address.'] })
  return { ...input, password: await hashPassword(password, ctx.config.secretKey) }
}

export async function beforeSave(tx: WriteContext, { kind, input, before }: UserSave) {
  const { roles, password: password_hash, cell_phone, ...columns } = input
  const { company_id = before?.company_id ?? '', email } = columns
  if (company_id !== before?.company_id) await requireCompany(tx, company_id)
  const held = before?.roles.map(({ id }) => id) ?? []
  if (kind === 'created' || company_id !== before?.company_id || isOther(held, roles)) await requireRoles(tx, company_id, roles ?? held)
  if (before?.id === viewerId(tx.viewer) && isOther(held, roles))
    throw forbidden('You cannot change your own roles. Ask another administrator to do it.')
  // A link sent to the former address would still open the account to its reader.
  if (before !== undefined && email !== undefined && email.toLowerCase() !== before.email.toLowerCase())
    await tx.db.deleteFrom('password_resets').where('user_id', '=', before.id).where('used_at', 'is', null).execute()
  return {
    ...columns,
    cell_phone: cell_phone === undefined ? undefined : cell_phone || null,
    password_hash,
    created_by: kind === 'created' ? viewerId(tx.viewer) : undefined,
  }
}

export async function afterSave(tx: WriteContext, id: string, { kind, input, before }: UserSave): Promise<void> {
  const held = before?.roles.map((role) => role.id) ?? []
  if (isOther(held, input.roles)) {
    await tx.db.deleteFrom('user_roles').where('user_id', '=', id).execute()
    await tx.db
      .insertInto('user_roles')
      .values([...new Set(input.roles)].map((role) => ({ user_id: id, role_id: role })))
      .execute()
  }
  const moved = input.company_id !== undefined && input.company_id !== before?.company_id
  if (kind === 'updated' && (isOther(held, input.roles) || moved || input.password !== undefined)) await endSessions(tx, id)
  if (kind === 'created' && input.password === undefined) await welcome(tx, { id, email: input.email })
}

export async function endAllSessions(tx: WriteContext, users: readonly UserRecord[]): Promise<void> {
  for (const { id } of users) await endSessions(tx, id)
}

export async function beforeRestore(tx: WriteContext, users: readonly UserRecord[]): Promise<void> {
  for (const user of users) {
    const live = tx.db.selectFrom('companies').select('id').where('id', '=', user.company_id).where('deleted_at', 'is', null)
    if ((await live.executeTakeFirst()) === undefined) throw conflict(`${user.company_name} is in the trash. Restore the company first.`)
    const other = tx.db.selectFrom('users').select('id').where('email', '=', user.email).where('deleted_at', 'is', null)
    if ((await other.executeTakeFirst()) !== undefined)
      throw conflict(`${user.email} is used by another user now. Change that address first.`)
  }
}

/** What a deleted user made remains without an owner; activity lines carry the name as text. */
export async function beforeDestroy(tx: WriteContext, users: readonly UserRecord[]): Promise<void> {
  const ids = users.map(({ id }) => id)
  for (const table of ['accounts', 'account_files', 'imports'] as const)
    await tx.db.updateTable(table).set({ created_by: null }).where('created_by', 'in', ids).execute()
  await tx.db.updateTable('discrepancies').set({ assigned_to: null }).where('assigned_to', 'in', ids).execute()
  await tx.db.updateTable('discrepancies').set({ decided_by: null }).where('decided_by', 'in', ids).execute()
}

/** Whether these roles were sent and are not the ones already held. */
const isOther = (held: readonly string[], sent: readonly string[] | undefined): boolean =>
  sent !== undefined && (new Set(sent).size !== held.length || !held.every((id) => sent.includes(id)))

async function requireCompany(tx: WriteContext, companyId: string): Promise<void> {
  const company = await tx.db
    .selectFrom('companies')
    .select('id')
    .where('id', '=', companyId)
    .where('deleted_at', 'is', null)
    .where(visibleCompanies(tx.viewer))
    .executeTakeFirst()
  if (company === undefined) throw invalid({ company_id: ['Please choose a company.'] })
}

async function requireRoles(tx: WriteContext, companyId: string, roles: readonly string[]): Promise<void> {
  const allowed = new Set((await loadGivableRoles(tx, companyId)).map(({ id }) => id))
  if (!roles.every((id) => allowed.has(id))) throw invalid({ roles: ['You can only give roles whose permissions you have yourself.'] })
}
