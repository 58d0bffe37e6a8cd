import { sql } from 'kysely'
import { FLAG_STATUSES, type FlagInput, type FlagStatus, type FlagUpdate, type FlaggableType } from '#contract/flags.ts'
import { isoDateIn } from '#contract/format.ts'
import { DAY_MS, FLAGS_PER_HOUR, FLAG_REOPEN_MS, HOUR_MS } from '#contract/limits.ts'
import { uuids } from '#server/access/scope.ts'
import { can, timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { lockRecords } from '#server/engines/record/save-record.ts'
import { countAttempt } from '#server/engines/secrets/limiter.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { usersWhoClose } from './assignees.queries.ts'
import { TARGETS, usersWhoSee, visibleTargets, type Flaggable } from './flag-targets.ts'
import { findFlag, loadFlags, rulesOf, targetOf, type FlagRecord } from './flags.queries.ts'
import { notifyAssigned, notifyClosed, notifyRaised, publishFlags } from './publish-flags.ts'

/** Flags records of one type, all of them or none, and returns the flags. Throws `conflict` for divested properties. */
export function raiseFlags(ctx: Context, type: FlaggableType, ids: readonly string[], input: FlagInput): Promise<FlagRecord[]> {
  return transact(ctx, async (tx) => {
    requireFutureDue(tx, input.due_on)
    const targets = await lockTargets(tx, type, [...new Set(ids)])
    await limitNotices(tx)
    for (const [accountId, group] of Map.groupBy(targets, ({ account_id }) => account_id)) {
      const flagged = group.map(({ id }) => id)
      await requireAssignee(tx, accountId, { type, ids: flagged }, input.assigned_to)
    }
    const raised = await insertFlags(tx, type, targets, input)
    const flags = await loadFlags(
      tx,
      raised.map(({ id }) => id),
    )
    await publishFlags(tx, flags, (what) => `flagged ${what}: ${input.message}`)
    await notifyRaised(tx, flags)
    return flags
  })
}

function requireFutureDue({ clock, viewer }: WriteContext, dueOn: string | null | undefined): void {
  if (dueOn && dueOn < isoDateIn(clock.now(), timezoneOf(viewer))) throw invalid({ due_on: ['Please choose today or a later day.'] })
}

/** Throws `throttled` for a user who has notified others too often. */
async function limitNotices(tx: WriteContext): Promise<void> {
  const limit = { key: `flags ${signedIn(tx).userId}`, points: FLAGS_PER_HOUR, perMs: HOUR_MS }
  await countAttempt(tx, limit, 'You have raised or assigned many flags.')
}

async function insertFlags(tx: WriteContext, type: FlaggableType, targets: readonly { id: string }[], input: FlagInput) {
  const { table, column } = TARGETS[type]
  const now = tx.clock.now()
  const { rows } = await sql<{ id: string }>`INSERT INTO flags
      (account_id, ${sql.ref(column)}, reason, message, priority, assigned_to, due_on, raised_by, created_at, updated_at)
    SELECT account_id, id, ${input.reason}, ${input.message}, ${input.priority}, ${input.assigned_to ?? null}::uuid, ${input.due_on ?? null}::date,
      ${viewerId(tx.viewer)}::uuid, ${now}::timestamptz, ${now}::timestamptz
    FROM ${sql.table(table)} WHERE id = ANY(${uuids(targets.map(({ id }) => id))}) RETURNING id`.execute(tx.db)
  return rows
}

/** The records, locked so that none of them is divested or trashed before the commit: that would not close the new flag. */
async function lockTargets(tx: WriteContext, type: FlaggableType, ids: readonly string[]): Promise<{ id: string; account_id: string }[]> {
  const { table, needs, noun, status } = TARGETS[type]
  if (!can(tx.viewer, needs)) throw forbidden()
  const live = visibleTargets(tx.viewer, { type, ids })
  const { rows: visible } = await sql<{ id: string }>`SELECT id ${live}`.execute(tx.db)
  if (visible.length !== ids.length) throw notFound(ids.length > 1 ? 'One of the records was' : noun)
  await lockRecords(tx, table, ids)
  const { rows } = await sql<{
    id: string
    account_id: string
    status: string
  }>`SELECT id, account_id, ${status} AS status ${live}`.execute(tx.db)
  if (rows.length !== ids.length) throw notFound(ids.length > 1 ? 'One of the records was' : noun)
  if (rows.some((row) => row.status !== 'active')) throw conflict('A divested property cannot be flagged. Reactivate it first.')
  return rows
}

/** Throws `invalid` for a user who is not offered for these records: others would never learn of the flag. */
async function requireAssignee(ctx: Context, accountId: string, records: Flaggable, userId: string | null | undefined): Promise<void> {
  if (userId === undefined || userId === null) return
  const user = (await usersWhoClose(ctx, accountId)).find((one) => one.userId === userId)
  if (user === undefined) throw invalid({ assigned_to: ['Please choose a user who works on this account and can close flags.'] })
  const seeing = await usersWhoSee(ctx.db, [user], records)
  if (seeing.length === 0) throw invalid({ assigned_to: [`${user.fullName} does not see this. Please choose another user.`] })
}

/** Changes a flag. Throws `conflict` if another user changed or closed it meanwhile. */
export function updateFlag(ctx: Context, id: string, { version, resolution, ...update }: FlagUpdate): Promise<FlagRecord> {
  return transact(ctx, async (tx) => {
    await lockRecords(tx, 'flags', [id])
    const before = await findFlag(tx, id)
    if (version !== undefined && version !== before.version)
      throw conflict('Another user changed this flag while you were editing. Reload it and try again.', { version: before.version })
    const status = update.status !== undefined && update.status !== before.status ? update.status : undefined
    requireAllowed(tx, before, { ...update, status })
    const reason = closingText(status, resolution)
    if (update.due_on !== before.due_on) requireFutureDue(tx, update.due_on)
    if (update.assigned_to !== before.assigned_to) {
      const { type, id: flagged } = targetOf(before)
      await requireAssignee(tx, before.account_id, { type, ids: [flagged] }, update.assigned_to)
    }
    const changed = Object.entries({ ...update, status }).filter(
      ([name, value]) => value !== undefined && value !== before[name as keyof typeof update], // of `update`
    )
    if (changed.length === 0) return before
    if (update.assigned_to && update.assigned_to !== before.assigned_to) await limitNotices(tx)
    await tx.db
      .updateTable('flags')
      .set({ ...Object.fromEntries(changed), version: sql`version + 1`, updated_at: tx.clock.now() })
      .$if(status !== undefined && status !== 'acknowledged', (query) => query.set(closed(tx, reason)))
      .where('id', '=', id)
      .execute()
    const after = await findFlag(tx, id)
    await publishFlags(tx, [after], (what) => describeChange(what, before, after))
    if (after.assigned_to !== null && after.assigned_to !== before.assigned_to) await notifyAssigned(tx, [after])
    if (reason !== undefined) await notifyClosed(tx, [after])
    return after
  })
}

/** The columns of a flag that is closed with this text, or open again without one. */
export const closed = (tx: WriteContext, reason: string | undefined) => ({
  closed_by: reason === undefined ? null : viewerId(tx.viewer),
  closed_at: reason === undefined ? null : tx.clock.now(),
  resolution: reason ?? null,
})

const isClosing = (status: FlagStatus | undefined): boolean => status === 'resolved' || status === 'dismissed'

/** Why a flag is closed, which is required; undefined if it is not closed. */
export function closingText(status: FlagStatus | undefined, resolution: string | undefined): string | undefined {
  if (!isClosing(status)) {
    if (resolution !== undefined) throw invalid({ resolution: ['Only a flag that is resolved or dismissed has this text.'] })
    return undefined
  }
  if (!resolution)
    throw invalid({ resolution: [status === 'resolved' ? 'Please say how this was resolved.' : 'Please say why the flag is dismissed.'] })
  return resolution
}

function requireAllowed(ctx: Context, flag: FlagRecord, { status, ...fields }: Omit<FlagUpdate, 'version' | 'resolution'>): void {
  const rules = rulesOf(ctx, flag)
  const isClosed = flag.closed_at !== null
  if (isClosed && status !== 'open') throw conflict(`${flag.closer_name ?? 'The system'} has closed this flag. Reopen it to change it.`)
  if (status === 'open' && !isClosed) throw conflict(`This flag is ${FLAG_STATUSES.acknowledged.toLowerCase()} already.`)
  if (status === 'open' && !rules.reopen) throw conflict(whyNotReopened(flag))
  if (status === 'acknowledged' && !rules.acknowledge) throw forbidden('Only the assignee of a flag can acknowledge it.')
  if (isClosing(status) && !rules.close) throw forbidden()
  if (fields.message !== undefined && fields.message !== flag.message && !rules.edit_message)
    throw forbidden('Only the user who raised a flag can change its message.')
}

function whyNotReopened({ source, reason, property_status }: FlagRecord): string {
  if (reason === 'recommendation_overdue') return 'The system flags the property again when another recommendation is overdue.'
  if (source === 'system') return 'Flags of the system are raised again when a check finds something.'
  if (property_status === 'divested') return 'The property is divested. Reactivate it first.'
  return `A flag can be reopened within ${FLAG_REOPEN_MS / DAY_MS} days after it was closed. Please raise a new one.`
}

function describeChange(what: string, before: FlagRecord, after: FlagRecord): string {
  const flag = `the flag on ${what}`
  if (after.status !== before.status) {
    if (after.status === 'open') return `reopened ${flag}`
    return `${after.status} ${flag}${after.resolution === null ? '' : `: ${after.resolution}`}`
  }
  if (after.assigned_to === before.assigned_to) return `changed ${flag}`
  return after.assigned_to === null ? `removed the assignment of ${flag}` : `assigned ${flag} to ${after.assignee_name ?? ''}`
}
