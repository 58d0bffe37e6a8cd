import { requireOwnAccounts } from '#server/access/require.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { visibleIds } from '#server/engines/datatable/index-list.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { notFoundFiles, announceMany, named } from './files.commands.ts'
import { fileDatatable } from './files.datatable.ts'
import { loadFiles, type FileRecord } from './files.queries.ts'

async function eachAccount(
  ctx: Context,
  ids: readonly string[],
  from: 'live' | 'only',
  work: (tx: WriteContext, accountId: string, files: FileRecord[]) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const seen = await visibleIds(tx, fileDatatable, ids, from)
    if (seen.length !== new Set(ids).size) throw notFoundFiles()
    const files = await loadFiles(tx, seen)
    // In one order for everybody, so that two people with the same documents never wait crosswise.
    const groups = [...Map.groupBy(files, (file) => file.account_id)].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [accountId, group] of groups) await work(tx, accountId, group)
  })
}

const idsOf = (files: readonly FileRecord[]) => files.map(({ id }) => id)

export const trashFiles = (ctx: Context, ids: readonly string[]): Promise<void> =>
  eachAccount(ctx, ids, 'live', async (tx, accountId, files) => {
    await announceMany(tx, accountId, idsOf(files), `{user} deleted ${await named(tx, idsOf(files))}`, 'deleted')
    await tx.db.updateTable('account_files').set({ deleted_at: tx.clock.now() }).where('id', 'in', idsOf(files)).execute()
  })

export const restoreFiles = (ctx: Context, ids: readonly string[]): Promise<void> =>
  eachAccount(ctx, ids, 'only', async (tx, accountId, files) => {
    await tx.db.updateTable('account_files').set({ deleted_at: null }).where('id', 'in', idsOf(files)).execute()
    await announceMany(tx, accountId, idsOf(files), `{user} restored ${await named(tx, idsOf(files))}`, 'restored')
  })

/** For ever: the rows go now; their promises expire at once, so that the nightly sweep removes the bytes after the commit. */
export const destroyFiles = (ctx: Context, ids: readonly string[]): Promise<void> =>
  eachAccount(ctx, ids, 'only', async (tx, accountId, files) => {
    await requireOwnAccounts(tx.db, tx.viewer, [accountId])
    await announceMany(tx, accountId, idsOf(files), `{user} deleted ${await named(tx, idsOf(files))} for ever`, 'deleted')
    const keys = files.map(({ storage_key }) => storage_key)
    await tx.db.updateTable('uploads').set({ registered_at: null, expires_at: tx.clock.now() }).where('key', 'in', keys).execute()
    await tx.db.deleteFrom('account_files').where('id', 'in', idsOf(files)).execute()
  })
