import type { ActionBody, RowAction } from '#contract/datatable.ts'
import { api, apiFile } from '#web/data/client.ts'
import { pendingDownloads } from '#web/data/pending-downloads.ts'
import type { ListedModel } from '#web/data/queries.ts'
import { filtersOf } from './list-state.ts'
import { ROW_CALLS } from './row-calls.ts'
import type { Target } from './row-command.ts'

function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The browser has taken the address over once the click is done.
  setTimeout(() => URL.revokeObjectURL(url))
}

const chosen = (target: Target, query: Readonly<Record<string, string>>) => ({
  selectedIds: target.everything ? [] : [...target.ids],
  filters: target.everything ? filtersOf(query) : {},
})

/**
 * Runs an action of the model (decisions Q37 to Q40) and downloads what it makes.
 * @param answer the answer to the action's question
 * @returns the server's message, '' when the file itself was the answer
 */
export async function runAction(
  model: ListedModel,
  action: RowAction,
  target: Target,
  answer: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const accountId = query['filter__account_id']
  const asked = action.prompt === null || action.prompt.type === 'confirm' ? {} : { [action.prompt.name]: answer }
  const body: ActionBody = {
    action: action.action,
    handle: action.handle,
    ...chosen(target, query),
    input: target.everything ? 'all' : asked,
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(action.fileName === null ? {} : { fileName: action.fileName }),
  }
  if (action.handle === 'blob') {
    const { blob, fileName } = await apiFile(ROW_CALLS[model].act, { body })
    saveAs(blob, fileName ?? action.fileName ?? action.action)
    return ''
  }
  const { message, export: made } = await api(ROW_CALLS[model].act, { body })
  if (made !== null) pendingDownloads.follow({ id: made.id, accountId: made.account_id, fileName: made.file.original_file_name })
  return message
}
