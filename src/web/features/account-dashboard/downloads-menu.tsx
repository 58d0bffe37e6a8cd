import { Button, Menu } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { usePendingDownloads, type PendingDownload } from '#web/data/pending-downloads.ts'
import { useCan } from '#web/data/session.ts'
import { formatProgress, plural } from '#contract/format.ts'
import { ArchiveProgress } from './archive-progress.tsx'
import classes from './downloads-menu.module.css'
import { useArchive } from './use-archive.ts'

interface DownloadsMenuProps {
  account: Account
  initiallyOpen: boolean
}

/** Everything that can be taken along from an account, and how far what is being made has come. */
export function DownloadsMenu({ account, initiallyOpen }: DownloadsMenuProps) {
  const can = useCan()
  const [opened, setOpened] = useState(initiallyOpen)
  const pending = usePendingDownloads().filter(({ accountId }) => accountId === account.id)
  const mayAll = can('view_download_all_files_button') && can('download_all_files')
  if (!mayAll && pending.length === 0) return null
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={320} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} {...rightSection(pending)}>
          Download Everything
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {pending
          .filter(({ source }) => source === 'fileselection')
          .map((one) => (
            <ArchiveProgress key={one.id} download={one} label="Generating Zip" />
          ))}
        {mayAll && <AllDocuments account={account} pending={pending.find(({ source }) => source === 'downloadall')} />}
      </Menu.Dropdown>
    </Menu>
  )
}

const rightSection = (pending: readonly PendingDownload[]) =>
  pending[0] === undefined ? {} : { rightSection: <span className={classes['percent']}>{formatProgress(pending[0].percentage)}%</span> }

function AllDocuments({ account, pending }: { account: Account; pending: PendingDownload | undefined }) {
  const archive = useArchive(account.id)
  if (pending !== undefined) return <ArchiveProgress download={pending} label="Generating Organized Zip" />
  const none = account.files.total === 0
  return (
    <>
      <Menu.Label>All Documents</Menu.Label>
      <Menu.Item leftSection={<IconFileZip size={18} aria-hidden />} disabled={none || archive.isPending} onClick={() => archive.mutate()}>
        <span className={classes['item']}>
          Generate Organized Zip
          <span className={classes['hint']}>
            {none ? 'There are no documents yet.' : `${plural(account.files.total, 'document')} in folders by property`}
          </span>
        </span>
      </Menu.Item>
    </>
  )
}
