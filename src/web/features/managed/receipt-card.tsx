import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { formatBytes, formatDateTime, plural } from '#contract/format.ts'
import type { Receipt } from '#contract/managed.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { useUploadsOf } from '#web/engines/upload/uploads.ts'
import { saveBlob } from '#web/ui/download.ts'
import classes from './managed.module.css'
import { receiptText } from './receipt-text.ts'

const SHOWN_MAX = 100
const CHECKSUM_CHARACTERS = 12

/** What arrived from the user in the last 24 hours, and what of it was there already. */
export function ReceiptCard({ accountId }: { accountId: string }) {
  const arrived = useUploadsOf(accountId, 'document').filter(({ status }) => status === 'done').length
  const query = useQuery(queries.receipt(accountId, arrived))
  return (
    <Loaded query={query} skeleton={<Skeleton height={72} role="status" aria-label="Loading the receipt" />}>
      {(receipt) => (receipt.documents.length === 0 ? null : <Documents receipt={receipt} />)}
    </Loaded>
  )
}

function Documents({ receipt }: { receipt: Receipt }) {
  const { full_name: name, email, company } = useSession().auth_user
  const zone = company.timezone
  const { account, documents } = receipt
  const newest = documents.toReversed().slice(0, SHOWN_MAX)
  const save = () =>
    saveBlob(
      new Blob([receiptText(receipt, { name, email, zone }, new Date().toISOString())], { type: 'text/plain;charset=utf-8' }),
      `${account} receipt.txt`,
    )
  return (
    <section className={classes['receipt']} aria-labelledby="receipt">
      <div className={classes['receiptHead']}>
        <h2 id="receipt">{plural(documents.length, 'document')} arrived in the last 24 hours</h2>
        <Button variant="default" size="sm" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
          Download the receipt
        </Button>
      </div>
      <ul>
        {newest.map(({ id, name: file, size, received_at: at, sha256, duplicate_of: duplicate }) => (
          <li key={id}>
            {duplicate === null ? (
              <IconCheck size={18} aria-hidden color="var(--good)" />
            ) : (
              <IconCopy size={18} aria-hidden color="var(--warning)" />
            )}
            <span className={classes['name']} title={file}>
              {file}
            </span>
            <span className={classes['size']}>{formatBytes(size)}</span>
            <span className={classes['detail']}>
              {formatDateTime(at, zone)},{' '}
              {sha256 === null ? 'not yet compared with other documents' : `checksum ${sha256.slice(0, CHECKSUM_CHARACTERS)}`}
              {duplicate !== null && `. Already there: ${duplicate}`}
            </span>
          </li>
        ))}
      </ul>
      {documents.length > SHOWN_MAX && (
        <p className={classes['reason']}>{plural(documents.length - SHOWN_MAX, 'more document')} on the receipt.</p>
      )}
    </section>
  )
}
