import { sql } from 'kysely'
import { plural } from '#contract/format.ts'
import { STATUSES_MAX } from '#contract/limits.ts'
import {
  STATUS_GROUPS,
  STATUS_STATES,
  statusGroup,
  type CompanyStatus,
  type StatusGroup,
  type StatusInput,
  type StatusState,
  type StatusUpdate,
} from '#contract/statuses.ts'
import { codesOf } from '#contract/code-lists.ts'
import { can, type SignedIn } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'

/** The groups whose statuses the viewer sees. */
export const visibleGroups = (viewer: SignedIn): StatusGroup[] =>
  codesOf(STATUS_GROUPS).filter((name) => {
    const { needs } = statusGroup(name)
    return needs === undefined || can(viewer, needs)
  })

/** The statuses of the viewer's company, in order. */
export async function companyStatuses(ctx: Context): Promise<CompanyStatus[]> {
  const viewer = signedIn(ctx)
  const { rows } = await sql<CompanyStatus>`
    SELECT s.id, s.model_type, s.name, s.color, s.state, s.position,
      (SELECT count(*)::int FROM accounts WHERE accounts.status_id = s.id) AS used
    FROM statuses s WHERE s.company_id = ${viewer.companyId} AND s.model_type = ANY(${visibleGroups(viewer)})
    ORDER BY s.model_type, s.position, s.name`.execute(ctx.db)
  return rows
}

/** Throws `notFound` unless it is a status of the viewer's company that the viewer sees. */
export async function requireStatus(ctx: Context, id: string): Promise<CompanyStatus> {
  const status = (await companyStatuses(ctx)).find((one) => one.id === id)
  if (status === undefined) throw notFound('Status')
  return status
}

/** Adds a status at the end of its group, or at the given position. */
export async function createStatus(ctx: Context, input: StatusInput): Promise<CompanyStatus> {
  return transact(ctx, async (tx) => {
    const { model_type: group, position, ...values } = input
    const viewer = signedIn(tx)
    if (!visibleGroups(viewer).includes(group)) throw forbidden(`You cannot change the statuses of ${statusGroup(group).label}.`)
    const others = (await lockStatuses(tx)).filter(({ model_type }) => model_type === group)
    if (others.length >= STATUSES_MAX) throw conflict(`A group has at most ${STATUSES_MAX} statuses.`)
    const state = stateOf(group, values.state)
    requireFreeName(others, values.name)
    const { id } = await tx.db
      .insertInto('statuses')
      .values({ ...values, state, model_type: group, company_id: viewer.companyId, position: others.length })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (position !== undefined) await move(tx, [...others.map((other) => other.id), id], id, position)
    return saved(tx, id, `{user} added the status ${values.name}`, 'created')
  })
}

/** Changes the fields that were sent. */
export async function updateStatus(ctx: Context, id: string, input: StatusUpdate): Promise<CompanyStatus> {
  return transact(ctx, async (tx) => {
    const { status, group } = await lockStatus(tx, id)
    if (input.id !== undefined && input.id !== id) throw invalid({ id: ['This is the id of another status.'] })
    if (input.model_type !== undefined && input.model_type !== status.model_type)
      throw invalid({ model_type: ['A status cannot move to another group.'] })
    const { name = status.name, color = status.color } = input
    const state = input.state === undefined ? status.state : stateOf(status.model_type, input.state)
    const others = group.filter((other) => other.id !== id)
    requireFreeName(others, name)
    if (state !== status.state) requireOther(others, status.state)
    await tx.db.updateTable('statuses').set({ name, color, state, updated_at: tx.clock.now() }).where('id', '=', id).execute()
    if (input.position !== undefined && input.position !== status.position) {
      const ids = group.map((other) => other.id)
      await move(tx, ids, id, input.position)
    }
    const renamed = name === status.name ? `{user} changed the status ${name}` : `{user} renamed the status ${status.name} to ${name}`
    return saved(tx, id, renamed, 'updated')
  })
}

/** Deletes a status that no account has and that its group can do without. */
export async function deleteStatus(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { status, group } = await lockStatus(tx, id)
    if (status.used > 0) {
      const have = status.used === 1 ? 'has' : 'have'
      throw conflict(`${plural(status.used, 'account')} ${have} the status ${status.name}, those in the trash included. Change it first.`)
    }
    const others = group.filter((other) => other.id !== id)
    if (others.length === 0) throw conflict('This is the last status of its group, and new records need one.')
    requireOther(others, status.state)
    await tx.db.deleteFrom('statuses').where('id', '=', id).execute()
    await renumber(
      tx,
      others.map((other) => other.id),
    )
    await changed(tx, `{user} deleted the status ${status.name}`, 'deleted')
  })
}

/** The statuses in their order. Two users who change the statuses of one company wait for each other. */
async function lockStatuses(tx: WriteContext): Promise<CompanyStatus[]> {
  await sql`SELECT id FROM companies WHERE id = ${signedIn(tx).companyId} FOR NO KEY UPDATE`.execute(tx.db)
  return companyStatuses(tx)
}

/** One status and those of its group, itself included. The lock of its row makes accounts wait that are given it at this moment. */
async function lockStatus(tx: WriteContext, id: string): Promise<{ status: CompanyStatus; group: CompanyStatus[] }> {
  await lockStatuses(tx)
  await sql`SELECT id FROM statuses WHERE id = ${id} FOR UPDATE`.execute(tx.db)
  const status = await requireStatus(tx, id)
  return { status, group: (await companyStatuses(tx)).filter(({ model_type }) => model_type === status.model_type) }
}

/** Only simple accounts have a state, and they need one. */
function stateOf(group: StatusGroup, state: StatusState | null | undefined): StatusState | null {
  if (group !== 'simple_account') {
    if (state) throw invalid({ state: ['Only statuses of simple accounts have a state.'] })
    return null
  }
  if (!state) throw invalid({ state: ['Please choose a state.'] })
  return state
}

function requireFreeName(others: readonly CompanyStatus[], name: string): void {
  const lower = name.toLowerCase()
  if (others.some((other) => other.name.toLowerCase() === lower)) throw invalid({ name: ['Another status of this group has this name.'] })
}

/** A managed account moves through all states, so each of them needs a status. */
function requireOther(others: readonly CompanyStatus[], state: StatusState | null): void {
  if (state !== null && others.every((other) => other.state !== state))
    throw conflict(`This is the only status with the state ${STATUS_STATES[state]}, and simple accounts need one.`)
}

async function move(tx: WriteContext, ids: readonly string[], id: string, position: number): Promise<void> {
  const others = ids.filter((other) => other !== id)
  await renumber(tx, others.toSpliced(position, 0, id))
}

async function renumber(tx: WriteContext, ids: readonly string[]): Promise<void> {
  await sql`UPDATE statuses SET position = place.n - 1 FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS place (id, n)
    WHERE statuses.id = place.id AND statuses.position <> place.n - 1`.execute(tx.db)
}

async function saved(tx: WriteContext, id: string, message: string, kind: 'created' | 'updated'): Promise<CompanyStatus> {
  await changed(tx, message, kind)
  return requireStatus(tx, id)
}

/** Every list of accounts can show the name and the color. */
async function changed(tx: WriteContext, message: string, kind: 'created' | 'updated' | 'deleted'): Promise<void> {
  await recordActivity(tx, { model: 'companies', modelId: signedIn(tx).companyId, class: kind, message })
  emit(tx, { model: 'accounts', id: null, everywhere: true })
}
