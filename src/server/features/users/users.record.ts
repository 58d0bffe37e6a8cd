import { sql } from 'kysely'
import type { z } from 'zod'
import { userCalls, type UserInput } from '#contract/users.ts'
import { findVisibleCompany } from '#server/access/require.ts'
import { givableRoles } from '#server/access/roles.ts'
import { userRules } from '#server/access/users.ts'
import { familyOf, viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { defineRecord, idIn, type Patch, type Save } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { findRecord } from '#server/engines/record/save-record.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { conflict, forbidden, invalid } from '#server/kernel/errors.ts'
import { mailNotice } from '../session/notices.commands.ts'
import { endAccess, endPasswordLinks, requireGoodPassword } from '../session/password.commands.ts'
import { endSessions } from '../session/session.commands.ts'
import { confirmPassword, requireConfirmed } from '../session/sign-in.commands.ts'
import { releaseWork } from './release.commands.ts'
import { countSignInChange, resetFactors } from './reset-factors.commands.ts'
import { COMPANY, userDatatable } from './users.datatable.ts'
import { userForm } from './users.form.ts'
import { fullName, loadUsers, reasonNotGivable, type UserRecord } from './users.queries.ts'
import { sendWelcome, welcomeNewUser } from './welcome.commands.ts'

export const userRecord = defineRecord(userCalls, {
  table: 'users',
  list: userDatatable,
  opensTrashed: true,
  changesRights: true,
  rules: userRules,
  cannotDelete: 'You cannot delete or restore yourself or a user with more permissions than you.',
  load: loadUsers,
  present: (_ctx, record) => ({
    name: { first_name: record.first_name, last_name: record.last_name },
    first_name: record.first_name,
    last_name: record.last_name,
    full_name: fullName(record),
    email: record.email,
    cell_phone: record.cell_phone,
    enable_2fa: record.enable_2fa,
    has_authenticator_app: record.has_authenticator_app,
    passkeys: record.passkeys,
    company: { id: record.company_id, name: record.company_name },
    roles: record.roles,
    last_login_at: record.last_login_at?.toISOString() ?? null,
    deactivated_at: record.deactivated_at?.toISOString() ?? null,
  }),
  search: {
    joins: COMPANY,
    name: sql`users.full_name`,
    detail: sql`concat_ws(' · ', users.email::text, co.name)`,
    ranked: [sql`users.full_name`, sql`users.email::text`],
    order: sql`users.last_name`,
  },
  form: userForm,
  changeScope: (_tx, { id, company_id }) => ({ for: [company_id, id] }),
  alsoShownIn: ['companies', 'roles'],
  comparable: (record) => ({ ...record, roles: record.roles.map(({ id }) => id) }),
  constraintErrors: { users_email: () => invalid({ email: ['This email is already used by another user.'] }) },
  prepare: hashNewPassword,
  beforeSave,
  afterSave,
  beforeTrash: async (tx, users) => {
    for (const { id } of users) await endAccess(tx, id)
  },
  beforeRestore,
  beforeDestroy: releaseWork,
  created: ({ password }) => (password === undefined ? 'The user was created. The welcome email is on its way.' : 'The user was created.'),
})

export const userRoutes = implement(
  userCalls,
  {
    ...recordHandlers(userRecord, userCalls),
    sendWelcome: async ({ ctx, params }) => {
      const { id } = await findRecord(ctx, userRecord, params.id)
      return { data: null, message: await sendWelcome(ctx, [id]) }
    },
    resetFactors: async ({ ctx, params, body }) => {
      const user = await findRecord(ctx, userRecord, params.id)
      await resetFactors(ctx, user.id, body.current_password)
      return { data: null, message: `${fullName(user)} now signs in without an authenticator app or passkeys.` }
    },
  },
  requireById(userRecord),
)

type Input = z.output<typeof UserInput>
type UserSave = Save<UserRecord, Input>

/**
 * Replaces the passwords of the input by their hashes, before the transaction: hashing takes long and would hold the user's lock. Users who
 * change a sign-in, their own or that of another user, confirm it with their current password: a stolen session must not open others.
 */
async function hashNewPassword(ctx: Context, input: Patch<Input>, before: UserRecord | undefined): Promise<Patch<Input>> {
  const { password, current_password, ...rest } = input
  if (before === undefined && current_password !== undefined) throw invalid({ current_password: ['A new user has no current password.'] })
  const by = viewerId(ctx.viewer)
  const confirms = before !== undefined && by !== null && changedSignIn(input, before).length > 0
  const checked = confirms ? { ...rest, current_password: await confirmPassword(ctx, by, current_password) } : rest
  if (password === undefined) return checked
  const { email = before?.email, first_name = before?.first_name, last_name = before?.last_name, company_id = before?.company_id } = rest
  await requireGoodPassword(ctx, password, { email, first_name, last_name, company_id })
  return { ...checked, password: await hashPassword(password, ctx.config.secretKey, { network: `user ${by ?? ''}` }) }
}

/** The parts of the sign-in that the input changes. */
const changedSignIn = ({ email, enable_2fa, password }: Patch<Input>, before: UserRecord) => [
  ...(email !== undefined && email.toLowerCase() !== before.email.toLowerCase() ? (['email'] as const) : []),
  ...(enable_2fa !== undefined && enable_2fa !== before.enable_2fa ? (['enable_2fa'] as const) : []),
  ...(password === undefined ? [] : (['password'] as const)),
]

async function beforeSave(tx: WriteContext, { kind, input, before }: UserSave) {
  const { roles, password: password_hash, current_password: confirmed, cell_phone, ...columns } = input
  const by = viewerId(tx.viewer)
  if (by !== null && typeof confirmed === 'string') await requireConfirmed(tx, by, confirmed)
  const { company_id = before?.company_id ?? '' } = columns
  if (company_id !== before?.company_id && (await findVisibleCompany(tx.db, tx.viewer, company_id)) === undefined)
    throw invalid({ company_id: ['Please choose a company.'] })
  const held = before?.roles.map(({ id }) => id) ?? []
  if (kind === 'created' || company_id !== before?.company_id || isOther(held, roles)) await requireRoles(tx, company_id, roles ?? held)
  if (before?.id === by && isOther(held, roles)) throw forbidden('You cannot change your own roles. Ask another administrator to do it.')
  return {
    ...columns,
    cell_phone: cell_phone === undefined ? undefined : cell_phone || null,
    password_hash,
    created_by: kind === 'created' ? by : undefined,
  }
}

async function afterSave(tx: WriteContext, id: string, { kind, input, before }: UserSave): Promise<void> {
  const held = before?.roles.map((role) => role.id) ?? []
  if (isOther(held, input.roles)) {
    await tx.db.deleteFrom('user_roles').where('user_id', '=', id).execute()
    await tx.db
      .insertInto('user_roles')
      .values([...new Set(input.roles)].map((role) => ({ user_id: id, role_id: role })))
      .execute()
  }
  const moved = input.company_id !== undefined && input.company_id !== before?.company_id
  if (kind === 'updated' && (moved || input.password !== undefined))
    await endSessions(tx, id, viewerId(tx.viewer) === id ? familyOf(tx.viewer) : undefined)
  if (kind === 'updated') {
    const changed = changedSignIn(input, before)
    // A link sent to the former address, or made before the password, would still open the account to its reader.
    if (changed.some((part) => part !== 'enable_2fa')) await endPasswordLinks(tx, id)
    if (changed.length > 0) {
      if (viewerId(tx.viewer) !== id) await countSignInChange(tx, id)
      await mailNotice(tx, before.email, changed)
    }
  }
  if (kind === 'created' && input.password === undefined) {
    await welcomeNewUser(tx, { id, email: input.email })
  }
}

async function beforeRestore(tx: WriteContext, users: readonly UserRecord[]): Promise<void> {
  for (const user of users) {
    if (user.company_deleted_at !== null) throw conflict(`${user.company_name} is in the trash. Restore the company first.`)
    const other = tx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .where('kind', '=', 'member')
      .where('deleted_at', 'is', null)
    if ((await other.executeTakeFirst()) !== undefined)
      throw conflict(`${user.email} is used by another user now. Change that address first.`)
  }
}

/** Whether these roles were sent and are not the ones already held. */
const isOther = (held: readonly string[], sent: readonly string[] | undefined): boolean =>
  sent !== undefined && (new Set(sent).size !== held.length || !held.every((id) => sent.includes(id)))

/** Locks the roles until the end of the transaction, so that none of them is moved to the trash while it is given. */
async function requireRoles(tx: WriteContext, companyId: string, roles: readonly string[]): Promise<void> {
  const locked = tx.db.selectFrom('roles').select('id').where(idIn('roles', roles)).where('deleted_at', 'is', null)
  const allowed = await locked.where(givableRoles(tx.viewer, companyId)).orderBy('id').forShare().execute()
  if (allowed.length !== new Set(roles).size) throw invalid({ roles: [await reasonNotGivable(tx, roles, companyId)] })
}
