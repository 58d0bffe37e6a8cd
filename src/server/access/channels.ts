import { sql } from 'kysely'
import { MODEL_NAMES, MODELS, type Model } from '#contract/models.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { visibleAccounts } from './accounts.ts'
import { principals, seesAllOf } from './scope.ts'
import { can, type Reader, type Viewer } from './viewer.ts'

/**
 * The rooms that a channel maps to, for this viewer; undefined without access. A datatable channel names no tenant: it is mapped to
 * the viewer's own principals, so that an event about another company's record never reaches them.
 */
export async function authorizeChannel(db: Reader, viewer: Viewer, channel: string): Promise<string[] | undefined> {
  if (viewer.kind !== 'user' || viewer.challenged || viewer.via !== undefined) return undefined
  const [, kind, name = ''] = /^private-([^.]+)\.([^.]+)$/.exec(channel) ?? []
  if (kind === 'user') return name === viewer.userId ? [rooms.user(name)] : undefined
  if (kind === 'account') return (await seesAccount(db, viewer, name)) ? [rooms.account(name)] : undefined
  const model = MODEL_NAMES.find((known) => known === name)
  if (kind !== 'datatable' || model === undefined || !can(viewer, permissionOf(model))) return undefined
  const own = seesAllOf(viewer, model) ? [rooms.everything(model)] : principals(viewer).map((principal) => rooms.list(model, principal))
  return [rooms.everyone(model), ...own]
}

/** That of the call for the rows: users without the page of accounts read those of their accounts. */
const permissionOf = (model: Model) => (model === 'accounts' ? 'view_account_details' : MODELS[model].list)

async function seesAccount(db: Reader, viewer: Viewer, id: string): Promise<boolean> {
  if (!isUuid(id) || !can(viewer, 'view_account_details')) return false
  const { rows } = await sql`SELECT 1 FROM accounts WHERE id = ${id} AND deleted_at IS NULL AND ${visibleAccounts(viewer)}`.execute(db)
  return rows.length > 0
}

export const rooms = {
  user: (id: string) => `user ${id}`,
  account: (id: string) => `account ${id}`,
  list: (model: Model, principal: string) => `list ${model} ${principal}`,
  /** Viewers who see every record of the model. */
  everything: (model: Model) => `list ${model}`,
  /** Every subscriber of the model's list. */
  everyone: (model: Model) => `everyone ${model}`,
} as const
