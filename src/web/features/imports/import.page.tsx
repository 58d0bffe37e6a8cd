import { Anchor, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { useImportAddress } from './import-address.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { StartImport } from './start-import.tsx'

/** Import of properties from a spreadsheet: the choice of the file, then one screen for everything up to the commit. */
export function ImportPage({ id: accountId }: { id: string }) {
  const account = useQuery(queries.account(accountId))
  const address = useImportAddress()
  const mayImport = useCan()('bulk_upload_account_properties') && account.data?.accessible_features.import !== false
  usePageTitle('Import properties')
  return (
    <Stack gap="md">
      <Anchor renderRoot={(props) => <Link {...props} to={paths.accountTab(accountId, 'properties')} />} size="sm">
        {account.data?.name.text ?? 'Back to the account'}
      </Anchor>
      {!mayImport ? (
        <Notice kind="warning">You may not import properties into this account.</Notice>
      ) : address.id === undefined ? (
        <StartImport accountId={accountId} onOpen={(id) => address.go({ import: id, view: 'sheet' })} />
      ) : (
        <ImportWorkbench key={address.id} accountId={accountId} importId={address.id} address={address} />
      )}
    </Stack>
  )
}
