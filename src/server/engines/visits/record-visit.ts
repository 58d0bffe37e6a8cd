import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/limits.ts'
import { INVITE_MODEL } from '#contract/models.ts'
import { viaOf } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '../context.ts'
import { networkOf } from '../secrets/limiter.ts'
import { emit } from '../transaction/changes.ts'
import { transact } from '../transaction/transact.ts'

/** A page that stays open is one visit, and a document that is shown again soon is one line. */
const SAME_VISIT_MS = 30 * MINUTE_MS

interface Seen {
  what: 'opened' | 'viewed' | 'downloaded'
  item?: { id: string; name: string }
  address?: string
}

/** Declares that an invitation or link changed. The account itself did not. */
export const changedGrant = (tx: WriteContext, { id, account_id }: { id: string; account_id: string }): void =>
  emit(tx, { model: INVITE_MODEL, id, inAccount: account_id, isHidden: true })

/**
 * Records what a person from outside sees. Does nothing for users, in previews and in sessions that a user of the account's company opened. A
 * visit begins when its session is opened, and what a link or invitation was last used for is its last line.
 */
export async function recordVisit(ctx: Context, { what, item, address }: Seen): Promise<void> {
  const { viewer, clock } = ctx
  const via = viaOf(viewer)
  if (viewer.kind !== 'user' || via === undefined || via.preview) return
  const now = clock.now()
  const familyId = viewer.familyId ?? null
  await transact(ctx, async (tx) => {
    // A page may make the same call twice at once.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`visit ${familyId} ${what} ${item?.id}`}, 0))`.execute(tx.db)
    const earlier = tx.db
      .selectFrom('grant_visits')
      .select('id')
      .where('grant_id', '=', via.grantId)
      .where('what', '=', what)
      .where('family_id', 'is not distinct from', familyId)
      .where('item_id', 'is not distinct from', item?.id ?? null)
      .where('at', '>', new Date(now.getTime() - SAME_VISIT_MS))
    if ((await earlier.executeTakeFirst()) !== undefined) return
    const own = tx.db.selectFrom('sessions').select('id').where('family_id', '=', familyId).where('opened_in', 'is not', null)
    if (familyId !== null && (await own.executeTakeFirst()) !== undefined) return
    await tx.db
      .insertInto('grant_visits')
      .values({
        grant_id: via.grantId,
        account_id: via.accountId,
        family_id: familyId,
        at: now,
        what,
        item_id: item?.id ?? null,
        item_name: item?.name ?? null,
        person: viewer.fullName,
        network: address === undefined ? '' : networkOf(address),
      })
      .execute()
    await tx.db.updateTable('account_grants').set({ last_used_at: now }).where('id', '=', via.grantId).execute()
    changedGrant(tx, { id: via.grantId, account_id: via.accountId })
  })
}
