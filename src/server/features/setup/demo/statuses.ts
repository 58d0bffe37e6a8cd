import type { WriteContext } from '#server/engines/context.ts'
import { setAccountStatus } from '#server/features/accounts/accounts.record.ts'

/** Sets the account's status by the name it has in the account's company. */
export async function chooseStatus(tx: WriteContext, accountId: string, name: string): Promise<void> {
  const status = await tx.db
    .selectFrom('statuses')
    .innerJoin('accounts', 'accounts.company_id', 'statuses.company_id')
    .select('statuses.id')
    .where('accounts.id', '=', accountId)
    .where('statuses.name', '=', name)
    .executeTakeFirstOrThrow()
  await setAccountStatus(tx, accountId, status.id)
}
