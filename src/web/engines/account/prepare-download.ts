import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { leftOutText } from '#contract/download-content.ts'
import { api } from '#web/data/client.ts'
import { PREPARING_TOAST, pendingDownloads } from '#web/data/pending-downloads.ts'
import { startDownload } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.tsx'

/** What a request for a download answers: the archive itself, or an export without its link. */
type Requested = Pick<AccountFile, 'id' | 'account_id' | 'status' | 'source' | 'content'> & {
  file: { original_file_name: string }
  url?: string | null
}

/** Requests a download, and starts it when it is ready. Throws the error of a failed call. */
export async function prepareDownload(request: () => Promise<{ download: Requested | null; message: string }>): Promise<void> {
  toast.info('Preparing your file to download, please wait...', { ...PREPARING_TOAST, ms: Infinity })
  try {
    const { download, message } = await request()
    if (download === null) toast.hide(PREPARING_TOAST.id)
    else await receiveDownload(download, message)
  } catch (error) {
    toast.hide(PREPARING_TOAST.id)
    throw error
  }
}

/** Downloads what is ready, and waits for what is not. */
export async function receiveDownload(download: Requested, message: string): Promise<void> {
  const { id, account_id: accountId, status, source, file, url = null } = download
  if (status === 'accessible') {
    if (url === null) await downloadAgain(accountId, id)
    else start({ ...download, url })
    return toast.hide(PREPARING_TOAST.id)
  }
  pendingDownloads.follow({ id, accountId, fileName: file.original_file_name, ...(source === undefined ? {} : { source }) })
  if (message !== '') toast.info(message, PREPARING_TOAST)
}

/** Downloads an archive or list that is ready. Throws the error of a failed call. */
export async function downloadAgain(accountId: string, id: string): Promise<void> {
  const { data } = await api(fileCalls.show, { params: { id: accountId, file_id: id }, query: {} })
  if (data.url === null) toast.warning("This download isn't ready.")
  else start({ ...data, url: data.url })
}

/** Starts a download, and says which of the requested documents it does not contain. */
function start({ url, file, content }: Pick<Requested, 'file' | 'content'> & { url: string }): void {
  startDownload(url, file.original_file_name)
  const leftOut = content ? leftOutText(content) : undefined
  if (leftOut !== undefined) toast.warning(`${file.original_file_name}: ${leftOut}.`)
}
