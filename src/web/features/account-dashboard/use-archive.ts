import { useMutation } from '@tanstack/react-query'
import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { api } from '#web/data/client.ts'
import { pendingDownloads } from '#web/data/pending-downloads.ts'
import { startDownload } from '#web/ui/download.ts'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'

const TOAST_ID = 'archive'

/** Asks for all documents of an account as one archive: downloaded at once when it is ready, else followed until it is. */
export function useArchive(accountId: string) {
  return useMutation({
    mutationFn: () => api(fileCalls.fileAction, { params: { id: accountId }, query: {}, body: { action: 'archive', files: 'all' } }),
    onMutate: () => toast.info('Preparing your file to download, please wait...', { id: TOAST_ID }),
    onSuccess: ({ data, message }) => {
      if (data === null) return
      if (data.status === 'accessible' && data.url !== null) return startDownload(data.url, data.file.original_file_name)
      follow(data)
      if (message !== '') toast.info(message, { id: TOAST_ID })
    },
    onError: showError,
  })
}

function follow({ id, account_id, file }: AccountFile): void {
  pendingDownloads.follow({ id, accountId: account_id, fileName: file.original_file_name, source: 'downloadall' })
}
