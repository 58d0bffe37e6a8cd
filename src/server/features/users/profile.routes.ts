import { sql, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { plural } from '#contract/format.ts'
import { profileCalls, type Profile, type SignedInDevice } from '#contract/profile.ts'
import { familyOf, viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { findRecord, updateRecord } from '#server/engines/record/save-record.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { notFound } from '#server/kernel/errors.ts'
import { endFamily, endSessions } from '../session/session.commands.ts'
import { fullName, type UserRecord } from './users.queries.ts'
import { userRecord } from './users.record.ts'

/** Users see and change themselves without a permission for users; their roles and company are not in the profile. */
const ownRecord: typeof userRecord = {
  ...userRecord,
  opensTrashed: false,
  rules: () => ({ update: true, delete: false }),
  list: { ...userRecord.list, visible: (viewer) => sql<SqlBool>`users.id = ${viewerId(viewer)}` },
}

const profileOf = (user: UserRecord): z.input<typeof Profile> => ({
  ...user,
  name: { first_name: user.first_name, last_name: user.last_name },
  full_name: fullName(user),
  email: { text: user.email },
})

/** The newest session of each sign-in that has not ended. */
async function devices(ctx: Context): Promise<SignedInDevice[]> {
  const viewer = signedIn(ctx)
  const { rows } = await sql<{ id: string; client: string | null; address: string | null; signed_in_at: Date; last_used_at: Date }>`
    SELECT DISTINCT ON (s.family_id) s.family_id AS id, s.client, s.address, s.last_used_at,
      (SELECT min(f.created_at) FROM sessions f WHERE f.family_id = s.family_id) AS signed_in_at
    FROM sessions s
    WHERE s.user_id = ${viewer.userId} AND s.kind = 'user' AND s.revoked_at IS NULL AND s.refresh_used_at IS NULL
      AND s.expires_at > ${ctx.clock.now()}
    ORDER BY s.family_id, s.created_at DESC`.execute(ctx.db)
  return rows
    .map(({ id, client, address, signed_in_at, last_used_at }) => ({
      id,
      current: id === viewer.familyId,
      client: client ?? '',
      address: address ?? '',
      signed_in_at: signed_in_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    }))
    .sort((one, other) => Number(other.current) - Number(one.current) || other.last_used_at.localeCompare(one.last_used_at))
}

async function endOthers(ctx: Context): Promise<string> {
  const others = (await devices(ctx)).filter(({ current }) => !current)
  await transact(ctx, (tx) => endSessions(tx, signedIn(tx).userId, familyOf(tx.viewer)))
  return others.length === 0 ? 'You are signed in nowhere else.' : `You are signed out on ${plural(others.length, 'other device')}.`
}

async function requireDevice(ctx: Context, id: string): Promise<void> {
  if (!(await devices(ctx)).some((device) => device.id === id)) throw notFound('Sign-in')
}

async function endOne(ctx: Context, id: string): Promise<void> {
  await requireDevice(ctx, id)
  await transact(ctx, (tx) => endFamily(tx, id))
}

export const profileRoutes = implement(
  profileCalls,
  {
    show: async ({ ctx }) => ({ data: profileOf(await findRecord(ctx, ownRecord, signedIn(ctx).userId)) }),
    update: async ({ ctx, body: { id: _id, ...body } }) => ({
      data: profileOf(await updateRecord(ctx, ownRecord, signedIn(ctx).userId, body)),
      message: 'Your profile was saved.',
    }),
    password: async ({ ctx, body: { current_password, password } }) => {
      await updateRecord(ctx, ownRecord, signedIn(ctx).userId, { current_password, password })
      return { data: null, message: 'Your password was changed. You are signed out on all other devices.' }
    },
    sessions: async ({ ctx }) => ({ data: await devices(ctx) }),
    endOthers: async ({ ctx }) => ({ data: null, message: await endOthers(ctx) }),
    endOne: async ({ ctx, params }) => {
      await endOne(ctx, params.id)
      return { data: null, message: 'This device is signed out.' }
    },
  },
  (ctx, { id = '' }) => requireDevice(ctx, id),
)
