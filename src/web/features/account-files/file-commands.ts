import { fileCalls, type AccountFile, type FileRow } from '#contract/account-files.ts'
import { api } from '#web/data/client.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { pendingDownloads } from '#web/data/pending-downloads.ts'
import type { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import type { ExtraCommand } from '#web/engines/datatable/row-commands.ts'
import { startDownload } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.tsx'
import { downloadFile } from './download-file.ts'

const FLAG_ACTIONS = {
  set_private: 'Set private',
  set_disclosed: 'Set disclosed',
  set_sov: 'Set as submission document',
  unset_sov: 'Set as disclosed document',
} as const
type FlagAction = keyof typeof FLAG_ACTIONS
const FLAGS = Object.keys(FLAG_ACTIONS) as FlagAction[] // the keys of a literal object

interface Around {
  accountId: string
  /** Whether the list shows submission documents. */
  sov: boolean
  can: ReturnType<typeof useCan>
  onLink: (ids: readonly string[]) => void
}

/** What may be done with a document, or with the selected ones when there is no row. */
export function fileCommands({ accountId, sov, can, onLink }: Around, row: FileRow | null): ExtraCommand[] {
  if (!can('view_account_files_datatable_actions')) return []
  const features = row?.file.accessible_features
  const download = features?.download ?? can('download_files')
  const update = features?.update ?? can('update_account_files')
  return [
    ...(download ? [command('Download', (ids) => void (row ? downloadFile(row.file) : downloadMany(accountId, ids)))] : []),
    ...(update && !sov ? [command('Link to properties', onLink)] : []),
    ...(update
      ? FLAGS.filter((action) => changesAnything(action, sov, row)).map((action) =>
          command(FLAG_ACTIONS[action], (ids) => void flag(accountId, action, ids)),
        )
      : []),
  ]
}

const command = (label: string, run: ExtraCommand['run']): ExtraCommand => ({ label, run })

function changesAnything(action: FlagAction, sov: boolean, row: FileRow | null): boolean {
  switch (action) {
    case 'set_private':
      return row?.file.private !== true
    case 'set_disclosed':
      return row?.file.private !== false
    case 'set_sov':
      return !sov
    case 'unset_sov':
      return sov
    default:
      return action satisfies never
  }
}

async function flag(accountId: string, action: FlagAction, ids: readonly string[]): Promise<void> {
  try {
    const { message } = await api(fileCalls.fileAction, { params: { id: accountId }, query: {}, body: { action, files: [...ids] } })
    toast.success(message)
  } catch (error) {
    tell(error)
  } finally {
    invalidateAfterWrite('account_files', null, accountId)
  }
}

/** Several documents come as one archive: at once when it is ready, else through the pending downloads. */
async function downloadMany(accountId: string, ids: readonly string[]): Promise<void> {
  try {
    const { data, message } = await api(fileCalls.fileAction, {
      params: { id: accountId },
      query: {},
      body: { action: 'archive', files: [...ids] },
    })
    if (data !== null) deliver(data, message)
  } catch (error) {
    tell(error)
  }
}

function deliver(archive: AccountFile, message: string): void {
  if (archive.status === 'accessible' && archive.url !== null) {
    startDownload(archive.url, archive.file.original_file_name)
    return
  }
  toast.info(message)
  pendingDownloads.follow({
    id: archive.id,
    accountId: archive.account_id,
    fileName: archive.file.original_file_name,
    source: 'fileselection',
  })
}

/** A refusal of the server warns, everything else alerts (S0 section 8). */
function tell(error: unknown): void {
  if (isApiError(error) && error.status >= 400 && error.status < 500) toast.warning(messageOf(error))
  else toast.alert(messageOf(error))
}
