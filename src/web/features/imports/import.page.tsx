import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { StartImport } from './start-import.tsx'
import { useImportAddress } from './use-import.ts'

/** Import of properties from a spreadsheet: first the file, then one screen for everything up to the commit. */
export function ImportPage() {
  const { id: accountId = '' } = useParams({ strict: false })
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
        <Notice kind="warning">You don't have permission to import properties into this account.</Notice>
      ) : address.import === undefined ? (
        <StartImport accountId={accountId} onOpen={(id) => address.go({ import: id, view: 'sheet' })} />
      ) : (
        <ImportWorkbench key={address.import} importId={address.import} />
      )}
    </Stack>
  )
}
