import type { Status } from '#contract/statuses.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { providerStaff } from '#server/engines/notification/recipients.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import type { AccountRecord } from './accounts.queries.ts'

type Method = AccountRecord['file_retrieval_method']

/** Whether the documents of a managed account are still being collected. */
export const isCollecting = ({ type, status_state }: Pick<AccountRecord, 'type' | 'status_state'>): boolean =>
  type === 'managed' && status_state === 'uploading'

export function requireCollecting(account: AccountRecord, method: Method | undefined): void {
  if (method === undefined || method === account.file_retrieval_method || isCollecting(account)) return
  throw invalid({ file_retrieval_method: ['Only an account that is collecting documents can change this.'] })
}

/** Nothing can be organized before a document has arrived, unless the provider collects them. */
export function requireDocuments(account: AccountRecord): void {
  const documents = account.files_disclosed + account.files_sov
  if (documents === 0 && account.file_retrieval_method !== 'assisted') throw conflict('Upload at least one document first.')
}

/** Of several statuses with the state processing, the one with that name. */
export function statusOfState({ statuses }: AccountRecord, state: string): Status | undefined {
  const offered = statuses.filter((status) => status.state === state)
  return offered.find(({ name }) => name.toLowerCase() === state) ?? offered[0]
}

/** Notifies the provider's staff of a request to collect the documents, or of its end. */
export async function notifyMethod(
  tx: WriteContext,
  { id: accountId, name, previous }: { id: string; name: string; previous: Method },
  method: Method | undefined,
): Promise<void> {
  if (method === undefined || method === previous || (method !== 'assisted' && previous !== 'assisted')) return
  const { viewer, config } = tx
  const { provider } = config.product
  const isRequest = method === 'assisted'
  const actor = viewerName(viewer, config.product.name)
  const sender = viewer.kind === 'user' ? `${actor} (${viewer.email}) of ${viewer.companyName}` : actor
  const message = isRequest ? `{user} asked ${provider} to collect the documents` : '{user} canceled the request to collect documents'
  await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'updated', message })
  await notify(tx, await providerStaff(tx.db), {
    accountId,
    ...(isRequest
      ? { kind: 'managed_assisted', message: `${sender} asks you to collect the documents of ${name}.` }
      : { kind: 'managed_cancelled', message: `${actor} canceled the request to collect the documents of ${name}.` }),
  })
}
