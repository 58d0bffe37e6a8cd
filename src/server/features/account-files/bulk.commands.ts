import { sql } from 'kysely'
import type { FileBefore } from '#contract/account-files.ts'
import { plural } from '#contract/format.ts'
import { requireSeesPrivate, requireVisibleAccount } from '#server/access/require.ts'
import { uuids } from '#server/access/scope.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict } from '#server/kernel/errors.ts'
import { requestReconciliation } from '../reconciliation/reconciliation.commands.ts'
import { EVIDENCE_FIELDS, lineAbout, linkProperties, nameOf, requireFiles } from './files.commands.ts'

type Fields = Omit<FileBefore, 'id' | 'version' | 'properties'>
const FIELDS = ['private', 'sov', 'provided_by_broker', 'covers_all_properties', 'category', 'report_author_date'] as const

/** Sets values of many documents. Returns the previous values of those that had other ones, for `restoreFiles`. */
export async function changeFiles(
  ctx: Context,
  accountId: string,
  ids: readonly string[],
  fields: Fields,
  describe: (name: string) => string,
): Promise<FileBefore[]> {
  return transact(ctx, async (tx) => {
    const names = FIELDS.filter((name) => fields[name] !== undefined)
    const files = await lockFiles(tx, accountId, ids)
    const changed = files.filter((file) => names.some((name) => file[name] !== fields[name]))
    await setFields(
      tx,
      accountId,
      changed.map(({ id }) => id),
      fields,
      describe,
    )
    return changed.map((file) => {
      const values: Fields = Object.fromEntries(names.map((name) => [name, file[name]]))
      return { id: file.id, version: file.version + 1, ...values }
    })
  })
}

const lockFiles = (tx: WriteContext, accountId: string, ids: readonly string[]) =>
  tx.db
    .selectFrom('account_files')
    .select(['id', 'version', ...FIELDS])
    .where(idIn('account_files', ids))
    .where('account_id', '=', accountId)
    .orderBy('id')
    .forUpdate()
    .execute()

async function setFields(tx: WriteContext, accountId: string, ids: readonly string[], fields: Fields, describe: (name: string) => string) {
  if (ids.length === 0) return
  if (fields.private === true) requireSeesPrivate(tx.viewer, await requireVisibleAccount(tx.db, tx.viewer, accountId))
  await tx.db
    .updateTable('account_files')
    .set({ ...fields, version: sql`version + 1`, updated_at: tx.clock.now() })
    .where(idIn('account_files', ids))
    .execute()
  if (EVIDENCE_FIELDS.some((name) => fields[name] !== undefined)) await requestReconciliation(tx, accountId, 'document')
  await publishBulk(tx, accountId, ids, describe)
}

interface LinkInput {
  properties: string[]
  mode: 'add' | 'replace' | 'remove'
}

/** Changes the links of many documents. Returns the previous links of those that had other ones, for `restoreFiles`. */
export async function assignProperties(
  ctx: Context,
  accountId: string,
  ids: readonly string[],
  { properties, mode }: LinkInput,
): Promise<FileBefore[]> {
  return transact(ctx, async (tx) => {
    await lockFiles(tx, accountId, ids)
    const before = await linksOf(tx, ids)
    await linkProperties(tx, accountId, ids, properties, mode)
    const count = plural(properties.length, 'property', 'properties')
    await publishBulk(tx, accountId, ids, (name) => `{user} ${mode === 'remove' ? `unlinked ${name} from` : `linked ${name} to`} ${count}`)
    const after = new Map((await linksOf(tx, ids)).map((file) => [file.id, file.properties.join()]))
    return before.filter(({ id, properties: linked }) => after.get(id) !== linked.join())
  })
}

/** The linked properties of each document that are not in the trash, in order. */
async function linksOf(tx: WriteContext, ids: readonly string[]): Promise<{ id: string; properties: string[] }[]> {
  const links = await tx.db
    .selectFrom('account_file_properties as l')
    .innerJoin('account_properties as p', 'p.id', 'l.property_id')
    .select(['l.file_id', 'l.property_id'])
    .where('l.file_id', '=', sql<string>`ANY(${uuids(ids)})`)
    .where('p.deleted_at', 'is', null)
    .orderBy('l.property_id')
    .execute()
  const grouped = Map.groupBy(links, ({ file_id }) => file_id)
  return ids.map((id) => ({ id, properties: (grouped.get(id) ?? []).map(({ property_id }) => property_id) }))
}

/** Undoes `changeFiles` or `assignProperties`. Throws `conflict` if a value was changed again since. */
export async function restoreFiles(ctx: Context, accountId: string, before: readonly FileBefore[]): Promise<void> {
  const ids = before.map(({ id }) => id)
  await requireFiles(ctx, accountId, ids)
  await transact(ctx, async (tx) => {
    const versions = new Map((await lockFiles(tx, accountId, ids)).map(({ id, version }) => [id, version]))
    if (before.some(({ id, version }) => version !== undefined && versions.get(id) !== version))
      throw conflict('One of the documents was changed since, so nothing was undone.')
    const describe = (name: string) => `{user} undid the last change of ${name}`
    const groups = Map.groupBy(before, ({ id: _id, version: _version, ...values }) => JSON.stringify(values))
    for (const files of groups.values()) {
      const { id: _id, version: _version, properties, ...fields } = files[0] ?? { id: '' }
      const group = files.map(({ id }) => id)
      if (properties !== undefined) await linkProperties(tx, accountId, group, properties, 'replace')
      if (Object.keys(fields).length > 0) await setFields(tx, accountId, group, fields, describe)
      else await publishBulk(tx, accountId, group, describe)
    }
  })
}

async function publishBulk(tx: WriteContext, accountId: string, ids: readonly string[], describe: (name: string) => string): Promise<void> {
  const files = await tx.db
    .selectFrom('account_files')
    .select(['id', 'vanity_name', 'original_file_name', 'private'])
    .where(idIn('account_files', ids))
    .execute()
  const { id, ...line } = lineAbout(files, describe(nameOf(files)))
  await recordActivity(tx, { model: 'account_files', modelId: id, accountId, class: 'updated', ...line })
  const isHidden = files.every((file) => file.private)
  emit(tx, { model: 'account_files', id: files.length === 1 ? id : null, inAccount: accountId, scope: 'files', isHidden })
}
