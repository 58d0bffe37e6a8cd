import type { WriteContext } from '#server/engines/context.ts'

/** Before users are permanently deleted: what they made remains without an owner. Activity lines have their names as text. */
export async function releaseWork({ db }: WriteContext, users: readonly { id: string }[]): Promise<void> {
  if (users.length === 0) return
  const ids = users.map(({ id }) => id)
  for (const table of ['accounts', 'account_files', 'imports'] as const)
    await db.updateTable(table).set({ created_by: null }).where('created_by', 'in', ids).execute()
  await db.updateTable('discrepancies').set({ assigned_to: null }).where('assigned_to', 'in', ids).execute()
  await db.updateTable('discrepancies').set({ decided_by: null }).where('decided_by', 'in', ids).execute()
}
