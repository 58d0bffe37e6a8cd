import { sql } from 'kysely'
import type { Caller } from '#server/engines/http/answer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { changedGrant, recordVisit } from '#server/engines/visits/record-visit.ts'
import { INVITE_SESSION_MS, PREVIEW_SESSION_MS, SHARE_SESSION_MS } from '#contract/guest-limits.ts'
import { ownsAccount } from '#server/access/accounts.ts'
import { loadViewer, type SignedIn, type Viewer } from '#server/access/viewer.ts'
import { endSessions, openSession, type Pair } from '../session/session.commands.ts'

/** What lets people in, as far as their sessions depend on it. */
export interface Grant {
  id: string
  account_id: string
  expires_at: Date | null
}

interface Person {
  kind: 'guest' | 'visitor'
  email: string
  firstName: string
  lastName: string
  roleId: string
}

/** A user for one person from outside, with access to the account of the grant alone. Returns the id. */
export async function addGuest({ db }: WriteContext, grant: Grant, { kind, email, firstName, lastName, roleId }: Person): Promise<string> {
  const { rows } = await sql<{ id: string }>`INSERT INTO users (company_id, kind, grant_id, first_name, last_name, email)
    SELECT a.company_id, ${kind}, ${grant.id}, ${firstName}, ${lastName}, ${email} FROM accounts a WHERE a.id = ${grant.account_id}
    RETURNING id`.execute(db)
  const [user] = rows
  if (user === undefined) throw new Error(`The account ${grant.account_id} does not exist`)
  await db.insertInto('user_roles').values({ user_id: user.id, role_id: roleId }).execute()
  return user.id
}

const LIFE_MS = { invite: INVITE_SESSION_MS, share: SHARE_SESSION_MS, preview: PREVIEW_SESSION_MS }

/** The sign-in of a viewer who opens what their own company shares. */
export const ownSignIn = (viewer: Viewer, companyId: string): string | undefined =>
  viewer.kind === 'user' && !viewer.challenged && ownsAccount(viewer, { company_id: companyId }) ? viewer.familyId : undefined

interface Opening {
  grant: Grant
  kind: 'invite' | 'share' | 'preview'
  caller: Caller
  /** The sign-in of a user of the account's company who opens it, whose visit does not count; that of the viewer for a preview. */
  openedIn?: string | undefined
  /** The sign-in with which the session ends. */
  enteredIn?: string | undefined
}

/** Opens the session of a person from outside and records the visit. It never outlives the grant, and a reader's own sessions are not touched. */
export async function openGuestSession(
  tx: WriteContext,
  userId: string,
  { grant, kind, caller, openedIn, enteredIn }: Opening,
): Promise<Pair> {
  const latest = new Date(tx.clock.now().getTime() + LIFE_MS[kind])
  const expiresAt = grant.expires_at !== null && grant.expires_at < latest ? grant.expires_at : latest
  const { id, ...pair } = await openSession(tx, {
    userId,
    kind: kind === 'preview' ? 'preview' : 'user',
    remember: false,
    address: caller.address,
    client: caller.client,
    guest: { expiresAt, refresh: kind === 'invite', openedIn, enteredIn },
  })
  if (kind !== 'preview') {
    const { family_id: familyId } = await tx.db.selectFrom('sessions').select('family_id').where('id', '=', id).executeTakeFirstOrThrow()
    const { viewer } = await asGuest(tx, userId)
    await recordVisit({ ...tx, viewer: { ...viewer, familyId } }, { what: 'opened', address: caller.address })
  }
  return pair
}

/** Ends a grant and, at once, everything that people who came in by it have open. */
export async function endGrant(tx: WriteContext, grant: Grant): Promise<void> {
  const now = tx.clock.now()
  await tx.db.updateTable('account_grants').set({ revoked_at: now, updated_at: now }).where('id', '=', grant.id).execute()
  await endPeople(tx, grant)
}

/** Ends everything that people who came in by a grant have open; the grant itself stays. */
export async function endPeople(tx: WriteContext, grant: Grant): Promise<void> {
  const people = await tx.db.selectFrom('users').select('id').where('grant_id', '=', grant.id).where('deleted_at', 'is', null).execute()
  for (const { id } of people) await endSessions(tx, id)
  const now = tx.clock.now()
  await tx.db.updateTable('users').set({ deleted_at: now }).where('grant_id', '=', grant.id).where('deleted_at', 'is', null).execute()
  changedGrant(tx, grant)
}

/** The same transaction with the person as the viewer, so that what they do is recorded as theirs. */
export async function asGuest(tx: WriteContext, userId: string): Promise<WriteContext & { viewer: SignedIn }> {
  const viewer = await loadViewer(tx.db, userId)
  if (viewer === undefined) throw new Error(`There is no guest ${userId}`)
  return { ...tx, viewer }
}

/** The id of the role of the system with this name. */
export async function systemRole({ db }: Context, name: string): Promise<string> {
  const role = db.selectFrom('roles').select('id').where('name', '=', name).where('company_id', 'is', null).where('deleted_at', 'is', null)
  return (await role.executeTakeFirstOrThrow()).id
}

/** A visitor of a link whose name is not known. */
export const VISITOR = { kind: 'visitor', email: '', firstName: 'A visitor', lastName: 'with the link' } as const
