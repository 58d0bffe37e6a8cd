import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useState, type ReactElement } from 'react'
import type { Downloadable } from '#contract/account-files.ts'
import type { Account } from '#contract/accounts.ts'
import { formatExportProgress, formatNumber } from '#contract/format.ts'
import { pendingDownloads, usePendingDownloads, type PendingDownload } from '#web/data/pending-downloads.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { useDownload, useDownloadItems, type DownloadItem } from './account-downloads.ts'
import classes from './downloads-menu.module.css'
import { showError } from '../show-error.ts'

interface DownloadsMenuProps {
  account: Account
  initiallyOpen: boolean
  /** Opens the menu instead of the usual button. */
  trigger?: ReactElement
}

/** The downloads of an account, with the progress of those that are being prepared. */
export function DownloadsMenu({ account, initiallyOpen, trigger }: DownloadsMenuProps) {
  const can = useCan()
  const [opened, setOpened] = useState(initiallyOpen)
  const pending = usePendingDownloads().filter(({ accountId }) => accountId === account.id)
  const { data: present } = useQuery({ ...queries.downloadable(account.id), enabled: opened })
  const items = useDownloadItems()
  if (items.length === 0 && pending.length === 0) return null
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={340} closeOnItemClick={false}>
      <Menu.Target>
        {trigger ?? (
          <Button
            data-tour="downloads"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            rightSection={
              pending[0] && (
                <span className={classes['percent']}>{formatExportProgress(pending[0].progress?.percentage_complete ?? 0)}%</span>
              )
            }
          >
            Download Everything
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {pending.map((one) => (
          <ArchiveProgress key={one.id} download={one} />
        ))}
        {items
          .filter(({ source }) => pending.every((one) => one.source !== source))
          .map((item) => (
            <MenuEntry key={item.source} item={item} account={account} present={present} />
          ))}
        {can('view_account_files') && (
          <>
            <Menu.Divider />
            <Menu.Item component={Link} to={paths.downloads()} leftSection={<IconHistory size={18} aria-hidden />}>
              Your downloads
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface DownloadItemProps {
  item: DownloadItem
  account: Account
  /** Undefined until it is loaded. Until then, a request for nothing is an error with the same reason. */
  present: Downloadable | undefined
}

/** Downloaded at once if it is ready, otherwise as soon as it is. */
function MenuEntry({ item: { source, label, Icon, hint, missing }, account, present }: DownloadItemProps) {
  const { start, isStarting } = useDownload(account.id, source)
  const reason = present && missing(present)
  return (
    <Menu.Item
      className={classes['download'] ?? ''}
      leftSection={<Icon size={18} aria-hidden />}
      disabled={reason !== undefined || isStarting}
      onClick={start}
    >
      <span className={classes['item']}>
        {label}
        <span className={classes['hint']}>{reason ?? hint(account)}</span>
      </span>
    </Menu.Item>
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
