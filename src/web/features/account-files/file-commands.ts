import { ARCHIVE_NEEDS, fileCalls, type AccountFile, type ArchiveSource, type FileBefore, type FileRow } from '#contract/account-files.ts'
import { fileVersionCalls, type FileVersion } from '#contract/file-versions.ts'
import type { BodyIn } from '#contract/route.ts'
import { api } from '#web/data/client.ts'
import { isApiError } from '#web/data/errors.ts'
import type { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import type { ExtraCommand } from '#web/engines/datatable/row-commands.ts'
import { prepareDownload } from '#web/engines/account/prepare-download.ts'
import { showError } from '#web/engines/show-error.ts'
import { startDownload } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.tsx'

/** The flags that can be set; each is offered only where it changes something. */
const FLAG_ACTIONS = [
  { action: 'set_private', label: 'Set private', changes: (file?: AccountFile) => file?.private !== true },
  { action: 'set_disclosed', label: 'Set disclosed', changes: (file?: AccountFile) => file?.private !== false },
  { action: 'set_sov', label: 'Move to Submission Documents', changes: (_?: AccountFile, sov = false) => !sov },
  { action: 'unset_sov', label: 'Move to Disclosed Documents', changes: (_?: AccountFile, sov = false) => sov },
] as const

interface FileCommandOptions {
  accountId: string
  /** Whether the list shows submission documents. */
  sov: boolean
  /** Whether the viewer can make documents of the account private. */
  mayHide: boolean
  can: ReturnType<typeof useCan>
  onLink: (ids: readonly string[]) => void
  onSetValues: (ids: readonly string[]) => void
  /** Uploads a new version of the document. */
  onVersion: (file: AccountFile) => void
}

/** Whether a command for selected documents applies to the document. */
export const isSelectable = ({ file: { accessible_features: may } }: FileRow): boolean => may.update || may.delete || may.download

/** The commands of a document's menu, or of the selected documents when `row` is null. */
export function fileCommands(
  { accountId, sov, mayHide, can, onLink, onSetValues, onVersion }: FileCommandOptions,
  row: FileRow | null,
): ExtraCommand[] {
  const features = row?.file.accessible_features
  const canRequest = (source: ArchiveSource) => ARCHIVE_NEEDS[source].every((name) => can(name))
  const download = features?.download ?? canRequest('fileselection')
  const update = features?.update ?? can('update_account_files')
  const flags = FLAG_ACTIONS.filter(({ action, changes }) => changes(row?.file, sov) && (mayHide || action !== 'set_private'))
  return [
    ...(download ? [command('Download', (ids) => void (row ? downloadFile(row.file) : downloadMany(accountId, ids)))] : []),
    ...(row === null && !sov && canRequest('document-list')
      ? [command('Document list (Word)', (ids) => void listDocuments(accountId, ids))]
      : []),
    ...(row && update && can('upload_account_files') ? [command('Upload a new version', () => onVersion(row.file))] : []),
    ...(update && !sov ? [command('Link to properties', onLink)] : []),
    ...(update
      ? [
          command('Edit values', onSetValues),
          ...flags.map(({ action, label }) =>
            command(label, (ids) => void changeFiles(accountId, { action, files: [...ids] }).catch(showFileError)),
          ),
        ]
      : []),
  ]
}

const command = (label: string, run: ExtraCommand['run']): ExtraCommand => ({ label, run })

const runAction = (accountId: string, body: BodyIn<typeof fileCalls.fileAction>) =>
  api(fileCalls.fileAction, { params: { id: accountId }, query: {}, body })

/** Shows the failed call; a 5xx is an alert, also when it names its kind. */
const showFileError = (error: unknown) => showError(error, isApiError(error) && error.status >= 500)

/** The documents may no longer be those of the list. */
function showStale(error: unknown, accountId: string): void {
  showFileError(error)
  invalidateAfterWrite('account_files', null, accountId)
}

/** Changes several documents. Undo in the toast restores the values of those that were changed. Throws the error of a failed call. */
export async function changeFiles(accountId: string, body: BodyIn<typeof fileCalls.fileAction>): Promise<void> {
  const refresh = () => {
    invalidateAfterWrite('account_files', null, accountId)
    invalidateAfterWrite('account_properties', null, accountId)
  }
  const undo = async (before: FileBefore[]) => {
    await runAction(accountId, { action: 'restore_values', before }).then(({ message }) => toast.success(message), showFileError)
    refresh()
  }
  try {
    const { message, before = [] } = await runAction(accountId, body)
    toast.success(message, before.length === 0 ? {} : { action: { label: 'Undo', onClick: () => void undo(before) } })
  } finally {
    refresh()
  }
}

/** Downloads a document with a link that is valid for a minute. */
export async function downloadFile({ id, account_id, file }: Pick<AccountFile, 'id' | 'account_id' | 'file'>): Promise<void> {
  try {
    const { data } = await api(fileCalls.show, { params: { id: account_id, file_id: id }, query: {} })
    if (data.url === null) toast.warning("This document can't be downloaded.")
    else startDownload(data.url, file.original_file_name)
  } catch (error) {
    showStale(error, account_id)
  }
}

/** Downloads one version of a document. */
export async function downloadVersion({ id, account_id }: AccountFile, { number, file_name }: FileVersion): Promise<void> {
  try {
    const { data } = await api(fileVersionCalls.download, { params: { id: account_id, file_id: id, number } })
    startDownload(data.url, file_name)
  } catch (error) {
    showStale(error, account_id)
  }
}

/** Makes a version of a document the current one. */
export async function makeVersionCurrent({ id, account_id }: AccountFile, number: number): Promise<void> {
  try {
    const { message } = await api(fileVersionCalls.makeCurrent, { params: { id: account_id, file_id: id, number } })
    toast.success(message)
  } catch (error) {
    showFileError(error)
  }
  invalidateAfterWrite('account_files', id, account_id)
}

/** Downloads several documents as one archive, through the pending downloads if it isn't ready yet. */
const downloadMany = (accountId: string, ids: readonly string[]): Promise<void> =>
  prepareDownload(() => requestFiles(accountId, 'archive', ids)).catch((error: unknown) => showStale(error, accountId))

/** The disclosed documents among these as a Word list. */
const listDocuments = (accountId: string, ids: readonly string[]): Promise<void> =>
  prepareDownload(() => requestFiles(accountId, 'document_list', ids)).catch((error: unknown) => showStale(error, accountId))

async function requestFiles(accountId: string, action: 'archive' | 'document_list', ids: readonly string[]) {
  const { data: download, message } = await runAction(accountId, { action, files: [...ids] })
  return { download, message }
}
