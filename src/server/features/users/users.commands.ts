import { sql } from 'kysely'
import type { z } from 'zod'
import type { UserInput, UserUpdate } from '#contract/users.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { userRules } from '#server/access/users.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { record } from '#server/engines/transaction/record.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { assertVersion } from '#server/engines/transaction/versions.ts'
import { forbidden, invalid } from '#server/kernel/errors.ts'
import { endSessions } from '../session/session.commands.ts'
import { findUser, givableRoles, type UserRecord } from './users.queries.ts'
import { welcome } from './welcome.commands.ts'

const EMAIL_TAKEN = 'This email is already used by another user.'
const OWN_ROLES = 'You cannot change your own roles. Please ask somebody else to.'

export async function createUser(ctx: Context, input: z.output<typeof UserInput>): Promise<UserRecord> {
  const passwordHash = await hashed(ctx, input.email, input.password)
  return transact(ctx, async (tx) => {
    const { roles, password: _password, cell_phone, ...values } = input
    await requireCompany(tx, values.company_id)
    await requireRoles(tx, values.company_id, roles)
    const made = await tx.db
      .insertInto('users')
      .values({ ...values, cell_phone: cell_phone || null, password_hash: passwordHash ?? null, created_by: viewerId(tx.viewer) })
      .onConflict((on) => on.column('email').where('deleted_at', 'is', null).doNothing())
      .returning(['id', 'email'])
      .executeTakeFirst()
    if (made === undefined) throw invalid({ email: [EMAIL_TAKEN] })
    await setRoles(tx, made.id, roles)
    if (passwordHash === undefined) await welcome(tx, made)
    await record(tx, { model: 'users', modelId: made.id, class: 'created', message: '{user} added this user' })
    emitUser(tx, made.id, [values.company_id])
    return findUser(tx, made.id)
  })
}

export async function updateUser(ctx: Context, id: string, input: z.output<typeof UserUpdate>): Promise<UserRecord> {
  const passwordHash =
    input.password === undefined ? undefined : await hashed(ctx, input.email ?? (await findUser(ctx, id)).email, input.password)
  return transact(ctx, async (tx) => {
    await tx.db.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
    const before = await findUser(tx, id)
    if (!userRules(tx.viewer, before).update) throw forbidden()
    const { roles, version, password: _password, cell_phone, ...values } = input
    const sent = Object.fromEntries(
      Object.entries({ ...values, ...(cell_phone === undefined ? {} : { cell_phone: cell_phone || null }) }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    assertVersion(version, before.version, currentOf(before), { ...sent, ...(roles === undefined ? {} : { roles }) })
    if (values.company_id !== undefined && values.company_id !== before.company_id) await requireCompany(tx, values.company_id)
    if (values.email !== undefined && values.email.toLowerCase() !== before.email.toLowerCase()) await changeAddress(tx, id, values.email)
    const rolesChange = await changeRoles(tx, before, values.company_id ?? before.company_id, roles)
    await tx.db
      .updateTable('users')
      .set({
        ...sent,
        ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
        version: sql`version + 1`,
        updated_at: tx.clock.now(),
      })
      .where('id', '=', id)
      .execute()
    if (rolesChange || passwordHash !== undefined) await endSessions(tx, id)
    await record(tx, { model: 'users', modelId: id, class: 'updated', message: '{user} changed this user' })
    emitUser(tx, id, [before.company_id, values.company_id ?? before.company_id])
    return findUser(tx, id)
  })
}

const currentOf = ({ first_name, last_name, email, cell_phone, enable_2fa, company_id, roles }: UserRecord) => ({
  first_name,
  last_name,
  email,
  cell_phone,
  enable_2fa,
  company_id,
  roles: roles.map(({ id }) => id),
})

async function hashed(ctx: Context, email: string, password: string | undefined): Promise<string | undefined> {
  if (password === undefined) return undefined
  if (password.toLowerCase() === email.toLowerCase()) throw invalid({ password: ['The password must not be the email address.'] })
  return hashPassword(password, ctx.config.secretKey)
}

async function requireCompany(tx: WriteContext, companyId: string): Promise<void> {
  const seen = await tx.db
    .selectFrom('companies')
    .select('id')
    .where('id', '=', companyId)
    .where('deleted_at', 'is', null)
    .where(visibleCompanies(tx.viewer))
    .executeTakeFirst()
  if (seen === undefined) throw invalid({ company_id: ['Please choose a company.'] })
}

/** Links sent to the former address would still open the account for whoever reads it. */
async function changeAddress(tx: WriteContext, id: string, email: string): Promise<void> {
  const other = await tx.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .where('id', '<>', id)
    .executeTakeFirst()
  if (other !== undefined) throw invalid({ email: [EMAIL_TAKEN] })
  await tx.db.deleteFrom('password_resets').where('user_id', '=', id).where('used_at', 'is', null).execute()
}

async function changeRoles(tx: WriteContext, before: UserRecord, companyId: string, roles: string[] | undefined): Promise<boolean> {
  const wanted = new Set(roles ?? before.roles.map(({ id }) => id))
  const same = wanted.size === before.roles.length && before.roles.every(({ id }) => wanted.has(id))
  if (same && companyId === before.company_id) return false
  if (!same && before.id === viewerId(tx.viewer)) throw forbidden(OWN_ROLES)
  await requireRoles(tx, companyId, [...wanted])
  await setRoles(tx, before.id, [...wanted])
  return true
}

async function requireRoles(tx: WriteContext, companyId: string, roles: readonly string[]): Promise<void> {
  const allowed = new Set((await givableRoles(tx, companyId)).map(({ id }) => id))
  if (!roles.every((id) => allowed.has(id))) throw invalid({ roles: ['You can only give roles whose permissions you hold yourself.'] })
}

async function setRoles(tx: WriteContext, userId: string, roles: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('user_roles').where('user_id', '=', userId).execute()
  await tx.db
    .insertInto('user_roles')
    .values([...new Set(roles)].map((id) => ({ user_id: userId, role_id: id })))
    .execute()
}

export const emitUser = (tx: WriteContext, id: string, companyIds: readonly string[]): void =>
  emit(tx, { model: 'users', id, for: [...new Set([...companyIds, id])] })
