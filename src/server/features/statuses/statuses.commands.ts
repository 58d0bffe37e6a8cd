import { sql } from 'kysely'
import { plural } from '#contract/format.ts'
import { STATUSES_MAX } from '#contract/limits.ts'
import { MODELS } from '#contract/models.ts'
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
const visibleGroups = (viewer: SignedIn): StatusGroup[] =>
  codesOf(STATUS_GROUPS).filter((name) => {
    const { needs } = statusGroup(name)
    return needs === undefined || can(viewer, needs)
  })

/** The statuses of the viewer's company, in order. */
export async function companyStatuses(ctx: Context): Promise<CompanyStatus[]> {
  const viewer = signedIn(ctx)
  const { rows } = await sql<CompanyStatus>`
    SELECT s.id, s.model_type, s.name, s.color, s.state, s.position,
      (SELECT count(*)::int FROM accounts WHERE accounts.status_id = s.id)
        + (SELECT count(*)::int FROM risk_control WHERE risk_control.status_id = s.id) AS used
    FROM statuses s WHERE s.company_id = ${viewer.companyId} AND s.model_type = ANY(${visibleGroups(viewer)})
    ORDER BY s.model_type, s.position, s.name`.execute(ctx.db)
  return rows
}

/** Throws `notFound` unless it is a status of the viewer's company that the viewer sees. */
export const requireStatus = async (ctx: Context, id: string): Promise<CompanyStatus> => statusIn(await companyStatuses(ctx), id)

function statusIn(statuses: readonly CompanyStatus[], id: string): CompanyStatus {
  const status = statuses.find((one) => one.id === id)
  if (status === undefined) throw notFound('Status')
  return status
}

/** Adds a status at the end of its group, or at the given position. */
export async function createStatus(ctx: Context, input: StatusInput): Promise<CompanyStatus> {
  return transact(ctx, async (tx) => {
    const { model_type: group, position, ...values } = input
    const viewer = signedIn(tx)
    if (!visibleGroups(viewer).includes(group)) throw forbidden(`You cannot change the statuses of ${statusGroup(group).label}.`)
    await lockStatuses(tx)
    const others = (await companyStatuses(tx)).filter(({ model_type }) => model_type === group)
    if (others.length >= STATUSES_MAX) throw conflict(`A group has at most ${STATUSES_MAX} statuses.`)
    const state = stateOf(group, values.state)
    requireFreeName(others, values.name)
    const { id } = await tx.db
      .insertInto('statuses')
      .values({ ...values, state, model_type: group, company_id: viewer.companyId, position: others.length })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (position !== undefined) await move(tx, others, id, position)
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
    requireUnchanged(status, input)
    const { name = status.name, color = status.color } = input
    const state = input.state === undefined ? status.state : stateOf(status.model_type, input.state)
    const others = group.filter((other) => other.id !== id)
    requireFreeName(others, name)
    if (state !== status.state) requireOther(others, status.state)
    await tx.db.updateTable('statuses').set({ name, color, state, updated_at: tx.clock.now() }).where('id', '=', id).execute()
    if (input.position !== undefined && input.position !== status.position) await move(tx, group, id, input.position)
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
      const what = MODELS[status.model_type === 'risk_control' ? 'risk_control' : 'accounts'].one
      throw conflict(`${plural(status.used, what)} ${have} the status ${status.name}, those in the trash included. Change it first.`)
    }
    const others = group.filter((other) => other.id !== id)
    if (others.length === 0) throw conflict('This is the last status of its group, and new records need one.')
    requireOther(others, status.state)
    requireNoDrafts(group, others[0]?.id)
    await tx.db.deleteFrom('statuses').where('id', '=', id).execute()
    await renumber(
      tx,
      others.map((other) => other.id),
    )
    await changed(tx, `{user} deleted the status ${status.name}`, 'deleted')
  })
}

/** Two users who change the statuses of one company wait for each other. */
async function lockStatuses(tx: WriteContext): Promise<void> {
  await sql`SELECT id FROM companies WHERE id = ${signedIn(tx).companyId} FOR NO KEY UPDATE`.execute(tx.db)
}

/** One status and those of its group, itself included. The lock of its row makes accounts wait that are given it at this moment. */
async function lockStatus(tx: WriteContext, id: string): Promise<{ status: CompanyStatus; group: CompanyStatus[] }> {
  await lockStatuses(tx)
  await sql`SELECT id FROM statuses WHERE id = ${id} FOR UPDATE`.execute(tx.db)
  const statuses = await companyStatuses(tx)
  const status = statusIn(statuses, id)
  return { status, group: statuses.filter(({ model_type }) => model_type === status.model_type) }
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

function requireUnchanged(status: CompanyStatus, { before = {}, ...input }: StatusUpdate): void {
  const isChanged = (field: keyof typeof before) =>
    before[field] !== undefined && status[field] !== before[field] && input[field] !== undefined && input[field] !== status[field]
  if (isChanged('name'))
    throw conflict(`Another user renamed this status to “${status.name}”, so your name is not saved. Change it again to replace theirs.`)
  if (isChanged('color')) throw conflict('Another user changed the color of this status. Choose it again to replace theirs.')
  if (isChanged('state')) throw conflict('Another user changed the state of this status. Choose it again to replace theirs.')
}

/** A managed account moves through all states, so each of them needs a status. */
function requireOther(others: readonly CompanyStatus[], state: StatusState | null): void {
  if (state !== null && others.every((other) => other.state !== state))
    throw conflict(`This is the only status with the state ${STATUS_STATES[state]}, and simple accounts need one.`)
}

async function move(tx: WriteContext, group: readonly CompanyStatus[], id: string, position: number): Promise<void> {
  const others = group.filter((other) => other.id !== id)
  const ids = others.map((other) => other.id).toSpliced(position, 0, id)
  requireNoDrafts(group, ids[0])
  await renumber(tx, ids)
}

/** Reports with the first status are drafts, which carriers do not see: another first one would show these, or hide those that have it. */
function requireNoDrafts(group: readonly CompanyStatus[], firstId: string | undefined): void {
  const [first] = group
  if (first?.model_type !== 'risk_control' || first.id === firstId) return
  const used = [first, ...group.filter(({ id }) => id === firstId)].find((status) => status.used > 0)
  if (used === undefined) return
  const have = used.used === 1 ? 'has' : 'have'
  throw conflict(
    `The first status hides reports from carriers, and ${plural(used.used, 'report')} ${have} the status ${used.name}. Change it first.`,
  )
}

async function renumber(tx: WriteContext, ids: readonly string[]): Promise<void> {
  await sql`UPDATE statuses SET position = place.n - 1 FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS place (id, n)
    WHERE statuses.id = place.id AND statuses.position <> place.n - 1`.execute(tx.db)
}

async function saved(tx: WriteContext, id: string, message: string, kind: 'created' | 'updated'): Promise<CompanyStatus> {
  await changed(tx, message, kind)
  return requireStatus(tx, id)
}

/** Every list of accounts and reports can show the name and the color, and the first status hides reports from carriers. */
async function changed(tx: WriteContext, message: string, kind: 'created' | 'updated' | 'deleted'): Promise<void> {
  await recordActivity(tx, { model: 'companies', modelId: signedIn(tx).companyId, class: kind, message })
  for (const model of ['accounts', 'risk_control'] as const) emit(tx, { model, id: null, everywhere: true })
}
