import { Button, Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconHomeDown from '@tabler/icons-react/dist/esm/icons/IconHomeDown.mjs'
import { useState } from 'react'
import { ARCHIVE_NEEDS, fileCalls, type ArchiveSource, type Downloadable } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import type { Account } from '#contract/accounts.ts'
import { formatExportProgress, formatNumber, plural } from '#contract/format.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { api } from '#web/data/client.ts'
import { pendingDownloads, usePendingDownloads, type PendingDownload } from '#web/data/pending-downloads.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { prepareDownload } from '#web/engines/prepare-download.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import classes from './account-dashboard.module.css'

type Source = Exclude<ArchiveSource, 'fileselection'>

interface Item {
  source: Source
  label: string
  Icon: typeof IconFileZip
  /** Shows the item to users who have what the download needs. */
  button: PermissionName
  hint: (account: Account) => string
  /** Why there is nothing to download; undefined if there is something. */
  missing: (present: Downloadable) => string | undefined
}

const noProperties = ({ properties }: Downloadable) => (properties ? undefined : 'There are no properties yet.')

/** The numbers are null for users who don't see how many there are. */
function propertyHint({ properties, divested_properties: divested }: Account): string {
  if (properties === null) return 'Excel'
  return `Excel, ${plural(properties, 'property', 'properties')}${divested ? ` and ${divested} divested` : ''}`
}

const ITEMS: readonly Item[] = [
  {
    source: 'document-list',
    label: 'Disclosed Document List',
    Icon: IconFileText,
    button: 'view_download_document_list_button',
    hint: () => 'Word, by property',
    missing: ({ disclosed_documents: some }) =>
      some ? undefined : 'This account does not have any disclosed documents to generate the list from.',
  },
  {
    source: 'property-list',
    label: 'Property List',
    Icon: IconFileSpreadsheet,
    button: 'view_download_property_list_button',
    hint: propertyHint,
    missing: noProperties,
  },
  {
    source: 'with-documents',
    label: 'Properties with Documents',
    Icon: IconHomeDown,
    button: 'view_download_property_list_button',
    hint: () => 'Zip: the property list, linked to the documents of each property',
    missing: (present) => noProperties(present) ?? (present.linked_documents ? undefined : 'No document is linked to a property.'),
  },
  {
    source: 'downloadall',
    label: 'All Documents',
    Icon: IconFileZip,
    button: 'view_download_all_files_button',
    hint: ({ files }) => `Generate Organized Zip: ${plural(files?.total ?? 0, 'document')} in folders by property`,
    missing: ({ documents }) => (documents ? undefined : 'Generate Organized Zip: there are no documents yet.'),
  },
]

/** The downloads that the user may start. */
export function useDownloadItems(): readonly Item[] {
  const can = useCan()
  return ITEMS.filter(({ source, button }) => [button, ...ARCHIVE_NEEDS[source]].every((name) => can(name)))
}

/** The downloads of an account, with the progress of those that are being prepared. */
export function DownloadsMenu({ account, initiallyOpen }: { account: Account; initiallyOpen: boolean }) {
  const can = useCan()
  const [opened, setOpened] = useState(initiallyOpen)
  const pending = usePendingDownloads().filter(({ accountId }) => accountId === account.id)
  const { data: present } = useQuery({ ...queries.downloadable(account.id), enabled: opened })
  const items = useDownloadItems()
  if (items.length === 0 && pending.length === 0) return null
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={340} closeOnItemClick={false}>
      <Menu.Target>
        <Button
          data-tour="downloads"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={
            pending[0] && <span className={classes['percent']}>{formatExportProgress(pending[0].progress?.percentage_complete ?? 0)}%</span>
          }
        >
          Download Everything
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {pending.map((one) => (
          <ArchiveProgress key={one.id} download={one} />
        ))}
        {items
          .filter(({ source }) => pending.every((one) => one.source !== source))
          .map((item) => (
            <DownloadItem key={item.source} item={item} account={account} present={present} />
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
  item: Item
  account: Account
  /** Undefined until it is loaded. Until then, a request for nothing is an error with the same reason. */
  present: Downloadable | undefined
}

/** Downloaded at once if it is ready, otherwise as soon as it is. */
function DownloadItem({ item: { source, label, Icon, hint, missing }, account, present }: DownloadItemProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => prepareDownload(() => request(account.id, source)),
    onError: (error) => showError(error),
  })
  const reason = present && missing(present)
  return (
    <Menu.Item
      className={classes['download'] ?? ''}
      leftSection={<Icon size={18} aria-hidden />}
      disabled={reason !== undefined || isPending}
      onClick={() => mutate()}
    >
      <span className={classes['item']}>
        {label}
        <span className={classes['hint']}>{reason ?? hint(account)}</span>
      </span>
    </Menu.Item>
  )
}

async function request(accountId: string, source: Source) {
  if (source === 'document-list' || source === 'downloadall') {
    const action = source === 'downloadall' ? 'archive' : 'document_list'
    const { data: download, message } = await api(fileCalls.fileAction, {
      params: { id: accountId },
      query: {},
      body: { action, files: 'all' },
    })
    return { download: download && { ...download, source }, message }
  }
  const { export: download, message } = await api(propertyCalls.act, {
    body: {
      action: 'export_excel',
      handle: 'json',
      input: 'all',
      with_documents: source === 'with-documents',
      account_id: accountId,
    },
  })
  return { download, message }
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
