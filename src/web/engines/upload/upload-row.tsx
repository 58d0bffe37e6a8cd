import { Button, Group, NativeSelect, Progress, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { memo } from 'react'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES } from '#contract/document-categories.ts'
import { formatBytes } from '#contract/format.ts'
import { SECOND_MS } from '#contract/limits.ts'
import { useCan } from '#web/data/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useNow } from '#web/ui/use-now.ts'
import {
  changeCategory,
  hasProposal,
  isDocument,
  linkProposed,
  makeVersion,
  removeDocuments,
  type DocumentItem,
} from './document-commands.ts'
import { isRunning, percentOf, type UploadItem } from './upload-item.ts'
import { canRetryUpload, cancelUpload, dismissUpload, retryUpload } from './upload-queue.ts'
import classes from './uploads.module.css'
import { uploads } from './uploads.ts'

/** One upload with its progress, and the commands to cancel, retry or remove it. Renders only when the upload changes. */
export const UploadRow = memo(({ item }: { item: UploadItem }) => {
  const now = useNow(item.pause?.reason === 'retry' ? SECOND_MS : null)
  const running = isRunning(item)
  return (
    <li className={classes['row']}>
      <StatusIcon item={item} />
      <div className={classes['middle']}>
        <Text fw={500} truncate title={item.name}>
          {item.name}
        </Text>
        {item.path !== item.name && (
          <Text size="xs" c="dimmed" truncate title={item.path}>
            {item.path.slice(0, -item.name.length - 1)}
          </Text>
        )}
        <Text size="xs" c={item.status === 'failed' ? 'var(--critical)' : 'dimmed'}>
          {statusText(item, now)}
        </Text>
        {isDocument(item) && <UploadedAs item={item} />}
        {item.status === 'sending' && (
          <Progress
            value={percentOf(item.sent, item.size)}
            size={3}
            mt={4}
            aria-label={`Upload of ${item.name}`}
            color={item.pause ? 'amber' : 'brass'}
          />
        )}
      </div>
      {canRetryUpload(uploads, item.id) && (
        <IconButton name={`Try ${item.name} again`} size={28} onClick={() => retryUpload(uploads, item.id)}>
          <IconRefresh size={16} aria-hidden />
        </IconButton>
      )}
      <IconButton
        name={running ? `Cancel the upload of ${item.name}` : `Remove ${item.name} from this list`}
        size={28}
        onClick={() => (running ? cancelUpload(uploads, item.id) : dismissUpload(uploads, item.id))}
      >
        <IconX size={16} aria-hidden />
      </IconButton>
    </li>
  )
})

const CATEGORIES = DOCUMENT_CATEGORY_CODES.map((value) => ({ value, label: DOCUMENT_CATEGORIES[value].label }))

/** What became of the file: its category, the property that is proposed for it, and Remove if it is a duplicate. */
function UploadedAs({ item }: { item: DocumentItem }) {
  const can = useCan()
  const { category, proposed, linked, hidden, sameName } = item.document
  if (item.settings.replaces !== undefined) return null
  const { label } = DOCUMENT_CATEGORIES[category]
  if (hidden === true) return <Text size="xs">{label}. Private: only the company that owns this account sees it.</Text>
  const [first, ...others] = proposed
  const place = `${first?.full_address ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}`
  return (
    <Group gap={6} mt={4}>
      {can('update_account_files') ? (
        <NativeSelect
          size="xs"
          aria-label={`Category of ${item.name}`}
          value={category}
          data={CATEGORIES}
          onChange={({ currentTarget: { value } }) =>
            void changeCategory(item, DOCUMENT_CATEGORY_CODES.find((code) => code === value) ?? 'other')
          }
        />
      ) : (
        <Text size="xs">{label}</Text>
      )}
      {item.duplicateOf !== null && can('delete_account_files') && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void removeDocuments([item])}
          aria-label={`Remove the duplicate ${item.name}`}
        >
          Remove
        </Button>
      )}
      {item.duplicateOf === null && sameName && can('update_account_files') && (
        <Button
          size="compact-xs"
          variant="default"
          className={classes['proposal']}
          title={`“${sameName.name}” keeps its name, flags and links, and the file it has now as an earlier version.`}
          onClick={() => void makeVersion(item, sameName)}
        >
          Save as a new version of {sameName.name}
        </Button>
      )}
      {linked && <Text size="xs">Linked to {place}</Text>}
      {hasProposal(item) && (
        <Button size="compact-xs" variant="default" className={classes['proposal']} title={place} onClick={() => void linkProposed([item])}>
          Link to {place}
        </Button>
      )}
    </Group>
  )
}

function StatusIcon({ item }: { item: UploadItem }) {
  const isProblem = item.status === 'failed' || item.status === 'needs_file' || item.duplicateOf !== null
  if (isProblem) return <IconAlertTriangle size={18} aria-hidden color={`var(--${item.status === 'failed' ? 'critical' : 'warning'})`} />
  if (item.status === 'done') return <IconCheck size={18} aria-hidden color="var(--good)" />
  return <IconFile size={18} stroke={1.6} aria-hidden color="var(--muted)" />
}

function statusText(item: UploadItem, now: number): string {
  const size = formatBytes(item.size)
  const percent = `${percentOf(item.sent, item.size)}%`
  const paused = pauseText(item, now)
  const { category, replaces } = item.settings
  const proposed = isDocument(item) && category === null ? '. Proposed category:' : ''
  const uploaded =
    replaces === undefined ? `Uploaded, ${size}${proposed}` : `Uploaded as the current version of “${replaces.name}”, ${size}`
  const texts: Record<UploadItem['status'], string> = {
    waiting: `Waiting, ${size}`,
    sending: paused ?? `${percent}, ${formatBytes(item.sent)} of ${size}`,
    registering: paused ?? 'Adding it to the account',
    needs_file: `${percent} uploaded. Drop the same file again to continue.`,
    done: item.duplicateOf === null ? uploaded : `Uploaded. The same content is already here as “${item.duplicateOf}”.`,
    failed: item.error ?? 'The upload failed.',
    canceled: 'Canceled',
  }
  return texts[item.status]
}

function pauseText({ pause }: UploadItem, now: number): string | null {
  if (pause === null) return null
  if (pause.reason === 'offline') return 'No connection. The upload continues when you are online again.'
  const seconds = Math.max(0, Math.ceil((pause.at - now) / SECOND_MS))
  return seconds === 0 ? `Trying again. ${pause.because}` : `Next attempt in ${seconds} s. ${pause.because}`
}
