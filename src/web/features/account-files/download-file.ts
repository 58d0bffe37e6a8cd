import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { api } from '#web/data/client.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { startDownload } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.tsx'

/** Downloads a document by a link that the server makes for it and that lives a minute. */
export async function downloadFile({ id, account_id, file }: Pick<AccountFile, 'id' | 'account_id' | 'file'>): Promise<void> {
  try {
    const { data } = await api(fileCalls.show, { params: { id: account_id, file_id: id }, query: {} })
    if (data.url === null) toast.warning('This document may not be downloaded.')
    else startDownload(data.url, file.original_file_name)
  } catch (error) {
    if (isApiError(error) && error.status > 0 && error.status < 500) toast.warning(messageOf(error))
    else toast.alert(messageOf(error))
  }
}
