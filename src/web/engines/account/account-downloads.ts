import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import IconHomeDown from '@tabler/icons-react/dist/esm/icons/IconHomeDown.mjs'
import { useMutation } from '@tanstack/react-query'
import { ARCHIVE_NEEDS, fileCalls, type ArchiveSource, type Downloadable } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import type { Account } from '#contract/accounts.ts'
import { plural } from '#contract/format.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { api } from '#web/data/client.ts'
import { useCan } from '#web/data/session.ts'
import { prepareDownload } from './prepare-download.ts'
import { showError } from '../show-error.ts'

type Source = Exclude<ArchiveSource, 'fileselection'>

export interface DownloadItem {
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

const ITEMS: readonly DownloadItem[] = [
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
export function useDownloadItems(): readonly DownloadItem[] {
  const can = useCan()
  return ITEMS.filter(({ source, button }) => [button, ...ARCHIVE_NEEDS[source]].every((name) => can(name)))
}

/** Starts a download: at once if it is ready, otherwise as soon as it is. */
export function useDownload(accountId: string, source: Source) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => prepareDownload(() => request(accountId, source)),
    onError: (error) => showError(error),
  })
  return { start: () => mutate(), isStarting: isPending }
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
