import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import { useState } from 'react'
import { fileCalls } from '#contract/account-files.ts'
import type { Account } from '#contract/accounts.ts'
import { formatNumber, formatProgress, plural } from '#contract/format.ts'
import { api } from '#web/data/client.ts'
import { PREPARING_TOAST, pendingDownloads, usePendingDownloads, type PendingDownload } from '#web/data/pending-downloads.ts'
import { useCan } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import { startDownload } from '#web/ui/download.ts'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './account-dashboard.module.css'

/** The downloads of an account, with the progress of those that are being prepared. */
export function DownloadsMenu({ account, initiallyOpen }: { account: Account; initiallyOpen: boolean }) {
  const can = useCan()
  const [opened, setOpened] = useState(initiallyOpen)
  const pending = usePendingDownloads().filter(({ accountId }) => accountId === account.id)
  const mayAll = can('view_download_all_files_button') && can('download_all_files')
  if (!mayAll && pending.length === 0) return null
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={320} closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={
            pending[0] && <span className={classes['percent']}>{formatProgress(pending[0].progress?.percentage_complete ?? 0)}%</span>
          }
        >
          Download Everything
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {pending.map((one) => (
          <ArchiveProgress key={one.id} download={one} />
        ))}
        {mayAll && pending.every(({ source }) => source !== 'downloadall') && <AllDocuments account={account} />}
      </Menu.Dropdown>
    </Menu>
  )
}

/** All documents as one archive: downloaded at once if it is ready, otherwise as soon as it is. */
function AllDocuments({ account: { id, files } }: { account: Account }) {
  const archive = useMutation({
    mutationFn: () => api(fileCalls.fileAction, { params: { id }, query: {}, body: { action: 'archive', files: 'all' } }),
    onMutate: () => toast.info('Preparing your file to download, please wait...', PREPARING_TOAST),
    onSuccess: ({ data, message }) => {
      if (data === null) return toast.hide(PREPARING_TOAST.id)
      const fileName = data.file.original_file_name
      if (data.status === 'accessible' && data.url !== null) {
        toast.hide(PREPARING_TOAST.id)
        return startDownload(data.url, fileName)
      }
      pendingDownloads.follow({ id: data.id, accountId: data.account_id, fileName, source: 'downloadall' })
      if (message !== '') toast.info(message, PREPARING_TOAST)
    },
    onError: (error) => {
      toast.hide(PREPARING_TOAST.id)
      showError(error)
    },
  })
  const none = files.total === 0
  return (
    <>
      <Menu.Label>All Documents</Menu.Label>
      <Menu.Item leftSection={<IconFileZip size={18} aria-hidden />} disabled={none || archive.isPending} onClick={() => archive.mutate()}>
        <span className={classes['item']}>
          Generate Organized Zip
          <span className={classes['hint']}>
            {none ? 'There are no documents yet.' : `${plural(files.total, 'document')} in folders by property`}
          </span>
        </span>
      </Menu.Item>
    </>
  )
}

/** An archive that is being prepared. It continues when the user leaves the page, and can be canceled. */
function ArchiveProgress({ download }: { download: PendingDownload }) {
  const { id, source, progress } = download
  const label = source === 'downloadall' ? 'Generating Organized Zip' : 'Generating Zip'
  const count = progress?.total_files ? `${formatNumber(progress.files_processed)} of ${formatNumber(progress.total_files)}` : undefined
  return (
    <div className={classes['progress']}>
      <ProgressLine
        label={label}
        percent={progress?.percentage_complete ?? 0}
        detail={[progress?.status, count].filter(Boolean).join(' · ')}
      />
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void pendingDownloads.cancel(id).catch(showError)}>
        Cancel
      </Button>
    </div>
  )
}
