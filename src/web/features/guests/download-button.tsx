import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { formatBytes, formatExportProgress, formatNumber, plural } from '#contract/format.ts'
import { usePendingDownloads } from '#web/data/pending-downloads.ts'
import { useDownload, useDownloadItems, type DownloadItem } from '#web/engines/account/account-downloads.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { paths } from '#web/paths.ts'
import classes from './guests.module.css'

const Caret = ({ onClick }: { onClick?: () => void }) => (
  <Button className={classes['caret'] ?? ''} size="lg" aria-label="All downloads" onClick={onClick}>
    <IconChevronDown size={18} aria-hidden />
  </Button>
)
const Menu = lazyPart(async () => (await import('#web/engines/account/downloads-menu.tsx')).DownloadsMenu, { fallback: <Caret /> })

/** Downloads everything, or the first thing that the viewer may download; the others are in its menu. Nothing without downloads. */
export function DownloadButton({ account }: { account: Account }) {
  const items = useDownloadItems()
  const { pathname } = useLocation()
  const isAddressed = pathname === paths.accountExport(account.id)
  const [wanted, setWanted] = useState(isAddressed)
  const item = items.find(({ source }) => source === 'downloadall') ?? items[0]
  if (item === undefined) return null
  return (
    <div className={classes['download']} data-tour="downloads">
      <div className={classes['split']}>
        <MainButton account={account} item={item} />
        {wanted ? <Menu account={account} initiallyOpen trigger={CARET} /> : <Caret onClick={() => setWanted(true)} />}
      </div>
      <DownloadNote account={account} item={item} />
    </div>
  )
}

const CARET = (
  <Button className={classes['caret'] ?? ''} size="lg" aria-label="All downloads">
    <IconChevronDown size={18} aria-hidden />
  </Button>
)

interface ItemProps {
  account: Account
  item: DownloadItem
}

const usePending = ({ account, item }: ItemProps) =>
  usePendingDownloads().find(({ accountId, source }) => accountId === account.id && source === item.source)

function MainButton({ account, item }: ItemProps) {
  const { start, isStarting } = useDownload(account.id, item.source)
  const pending = usePending({ account, item })
  const isAll = item.source === 'downloadall'
  const percent = formatExportProgress(pending?.progress?.percentage_complete ?? 0)
  const running = isAll ? 'Generating Organized Zip' : 'Generating Zip'
  const disabled = isStarting || pending !== undefined || (isAll && account.files?.total === 0)
  useHotkeys([['d', () => (disabled ? undefined : start())]])
  return (
    <Button
      size="lg"
      fz={15}
      className={classes['main'] ?? ''}
      leftSection={<IconDownload size={18} aria-hidden />}
      disabled={disabled}
      onClick={start}
      aria-keyshortcuts="d"
    >
      {pending === undefined ? (isAll ? 'Download Everything' : item.label) : `${running} ${percent}%`}
    </Button>
  )
}

/** What the button downloads, or how far it is. */
function DownloadNote({ account, item }: ItemProps) {
  const progress = usePending({ account, item })?.progress
  const { files } = account
  if (progress) {
    const count = progress.total_files > 0 ? `, ${formatNumber(progress.files_processed)} of ${formatNumber(progress.total_files)}` : ''
    return <p className={classes['note']} role="status">{`${progress.status}${count}`}</p>
  }
  if (item.source !== 'downloadall' || files === null) return <p className={classes['note']}>{item.hint(account)}</p>
  if (files.total === 0) return <p className={classes['note']}>There are no documents yet.</p>
  return <p className={classes['note']}>{`ZIP by property, ${plural(files.total, 'document')}, ${formatBytes(files.size.total)}`}</p>
}
