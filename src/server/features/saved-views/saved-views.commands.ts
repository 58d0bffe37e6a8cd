import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { SAVED_VIEWS_MAX, SHARED_VIEWS_MAX } from '#contract/limits.ts'
import { MODELS, MODEL_NAMES, type Model } from '#contract/models.ts'
import type { ModelInfo } from '#contract/permissions.ts'
import { ViewState, type SavedView, type SavedViewInput, type SavedViewUpdate } from '#contract/saved-views.ts'
import { isGuest } from '#server/access/roles.ts'
import { can, type SignedIn } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'

const listOf = (model: Model): ModelInfo => MODELS[model]

function requireList(viewer: SignedIn, model: Model): void {
  if (!can(viewer, listOf(model).list)) throw forbidden(`You cannot open the list of ${listOf(model).many}.`)
}

type StoredView = Omit<SavedView, 'can_change' | 'state'> & { state: unknown }

/** The viewer's own views and, unless it is a guest, those shared in the company, of one list or all that the viewer can open. */
async function visibleViews(ctx: Context, { model, id }: { model?: Model; id?: string }): Promise<SavedView[]> {
  const viewer = signedIn(ctx)
  const models = MODEL_NAMES.filter((name) => (model === undefined || name === model) && can(viewer, listOf(name).list))
  const { rows } = await sql<StoredView>`
    SELECT v.id, v.model, v.name, v.shared, v.version, v.state, v.user_id = ${viewer.userId} AS mine,
      u.full_name AS owner
    FROM saved_views v JOIN users u ON u.id = v.user_id
    WHERE v.company_id = ${viewer.companyId} AND ((v.shared AND ${!isGuest(viewer)}) OR v.user_id = ${viewer.userId})
      AND v.model = ANY(${models}) AND (${id ?? null}::uuid IS NULL OR v.id = ${id ?? null})
    ORDER BY v.user_id <> ${viewer.userId}, lower(v.name), v.id`.execute(ctx.db)
  return rows.map((row) => ({
    ...row,
    // Stored by an earlier release, possibly with other rules.
    state: ViewState.safeParse(row.state).data ?? ViewState.parse({}),
    can_change: row.mine || can(viewer, 'update_companies'),
  }))
}

export async function savedViews(ctx: Context, model: Model): Promise<SavedView[]> {
  requireList(signedIn(ctx), model)
  return visibleViews(ctx, { model })
}

/** Throws `notFound` unless it is a view that the viewer can use. */
export async function requireView(ctx: Context, id: string): Promise<SavedView> {
  const [view] = await visibleViews(ctx, { id })
  if (view === undefined) throw notFound('View')
  return view
}

export async function createView(ctx: Context, { model, name, shared, state }: z.output<typeof SavedViewInput>): Promise<SavedView> {
  return transact(ctx, async (tx) => {
    const viewer = signedIn(tx)
    requireList(viewer, model)
    await lockViews(tx)
    const views = await visibleViews(tx, { model })
    if (views.filter(({ mine }) => mine).length >= SAVED_VIEWS_MAX)
      throw conflict(`You have ${SAVED_VIEWS_MAX} views of this list. Delete one first.`)
    if (shared) requireSharing(viewer, views)
    await requireFreeName(tx, { owner: sql`${viewer.userId}`, model, name })
    const { id } = await tx.db
      .insertInto('saved_views')
      .values({ company_id: viewer.companyId, user_id: viewer.userId, model, name, shared, state: JSON.stringify(state) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return requireView(tx, id)
  })
}

/** Changes what was sent. A view that is no longer shared remains with its owner. */
export async function updateView(ctx: Context, id: string, input: z.output<typeof SavedViewUpdate>): Promise<SavedView> {
  return transact(ctx, async (tx) => {
    await lockViews(tx)
    const view = await requireChangeable(tx, id)
    if (view.version !== input.version) throw conflict('Another user changed this view. Open it again and repeat your change.', view)
    const { name = view.name, shared = view.shared, state = view.state } = input
    if (shared && !view.shared) requireSharing(signedIn(tx), await visibleViews(tx, { model: view.model }))
    const owner = sql`(SELECT user_id FROM saved_views WHERE id = ${id})`
    if (name !== view.name) await requireFreeName(tx, { owner, model: view.model, name, except: id })
    const set = { name, shared, state: JSON.stringify(state), version: view.version + 1, updated_at: tx.clock.now() }
    await tx.db.updateTable('saved_views').set(set).where('id', '=', id).execute()
    return { ...view, name, shared, state, version: set.version }
  })
}

export async function deleteView(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireChangeable(tx, id)
    await tx.db.deleteFrom('saved_views').where('id', '=', id).execute()
  })
}

async function requireChangeable(tx: WriteContext, id: string): Promise<SavedView> {
  const view = await requireView(tx, id)
  if (!view.can_change) throw forbidden(`Only ${view.owner} and administrators of your company can change this view.`)
  return view
}

/** Saves of views in one company wait for each other, for the limits, the names and the versions. */
async function lockViews(tx: WriteContext): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`saved views of ${signedIn(tx).companyId}`}, 0))`.execute(tx.db)
}

function requireSharing(viewer: SignedIn, views: readonly SavedView[]): void {
  if (isGuest(viewer)) throw forbidden('Guests cannot share views.')
  if (views.filter(({ shared }) => shared).length >= SHARED_VIEWS_MAX)
    throw conflict(`Your company shares ${SHARED_VIEWS_MAX} views of this list. Stop sharing one first.`)
}

interface ViewName {
  owner: RawBuilder<unknown>
  model: Model
  name: string
  /** The view that gets the name. The database compares the letters, because it is stricter than JavaScript about some of them. */
  except?: string
}

/** Also not that of a private view of the owner, which an administrator who renames a shared one does not see. */
async function requireFreeName(tx: WriteContext, { owner, model, name, except }: ViewName): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM saved_views WHERE user_id = ${owner} AND company_id = ${signedIn(tx).companyId}
    AND model = ${model} AND lower(name) = lower(${name}) AND id IS DISTINCT FROM ${except ?? null}::uuid`.execute(tx.db)
  if (rows.length > 0) throw invalid({ name: ['There is already a view with this name.'] })
}
