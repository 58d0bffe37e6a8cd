import { Button, Group, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fileCalls } from '#contract/account-files.ts'
import type { Property } from '#contract/account-properties.ts'
import { api } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { formatBytes } from '#contract/format.ts'
import classes from './property.module.css'

const SHOWN = 100

const documentsOf = (accountId: string, propertyId: string) => ({
  queryKey: ['index', 'account_files', 'of-property', accountId, propertyId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    api(fileCalls.listInAccount, {
      params: { id: accountId },
      query: { filter__property_id: propertyId, paginate: String(SHOWN) },
      signal,
    }),
})

/** The documents that are linked to the property. */
export function PropertyDocuments({ property: { id, account_id: accountId } }: { property: Property }) {
  const query = useQuery(documentsOf(accountId, id))
  const mayUpload = useCan()('upload_account_files')
  const files = query.data?.data
  return (
    <section className={classes['section']} aria-label="Documents">
      <Group justify="space-between">
        <h3>Documents</h3>
        {mayUpload && (
          <Button component={Link} to={paths.propertyUpload(accountId, id)} search={true} variant="default" size="xs">
            Upload documents
          </Button>
        )}
      </Group>
      {query.isPending && <Skeleton height={40} />}
      {query.isError && files === undefined && (
        <p role="alert">
          {messageOf(query.error)}{' '}
          <Button variant="default" size="compact-sm" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </p>
      )}
      {files?.length === 0 && <p className={classes['quiet']}>No documents are linked to this property.</p>}
      <ul className={classes['files']}>
        {files?.map((file) => (
          <li key={file.id}>
            <Link to={paths.file(accountId, file.id)} search={true}>
              {file.vanity_name ?? file.file.original_file_name}
            </Link>
            <span className={classes['quiet']}>{file.file.size === null ? '' : formatBytes(file.file.size)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
