import { ActionIcon, Progress, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { isRunning, type UploadItem } from './upload-item.ts'
import classes from './upload-line.module.css'
import { canRetryUpload, cancelUpload, dismissUpload, retryUpload } from './upload-queue.ts'
import { percentOf, uploadWords } from './upload-words.ts'
import { uploads } from './uploads.ts'

function StateIcon({ item }: { item: UploadItem }) {
  const worrying = item.status === 'failed' || item.status === 'needs_file' || item.duplicateOf !== null
  if (worrying) return <IconAlertTriangle size={18} aria-hidden className={classes[item.status === 'failed' ? 'critical' : 'warning']} />
  if (item.status === 'done') return <IconCheck size={18} aria-hidden className={classes['good']} />
  return <IconFile size={18} stroke={1.6} aria-hidden className={classes['muted']} />
}

/** One upload: its name, what it is doing, and the way to stop it, try it again or take it off the list. */
export function UploadLine({ item, now }: { item: UploadItem; now: number }) {
  const running = isRunning(item)
  return (
    <li className={classes['line']}>
      <StateIcon item={item} />
      <div className={classes['middle']}>
        <Text fw={500} truncate title={item.name}>
          {item.name}
        </Text>
        <Text size="xs" className={classes[item.status === 'failed' ? 'critical' : 'muted']}>
          {uploadWords(item, now)}
        </Text>
        {item.status === 'sending' && (
          <Progress
            value={percentOf(item.sent, item.size)}
            size={3}
            mt={4}
            animated={false}
            aria-label={`Upload of ${item.name}`}
            color={item.pause ? 'amber' : 'brass'}
          />
        )}
      </div>
      {canRetryUpload(uploads, item.id) && (
        <ActionIcon variant="subtle" color="gray" aria-label={`Try ${item.name} again`} onClick={() => retryUpload(uploads, item.id)}>
          <IconRefresh size={16} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={running ? `Cancel the upload of ${item.name}` : `Remove ${item.name} from this list`}
        onClick={() => (running ? cancelUpload(uploads, item.id) : dismissUpload(uploads, item.id))}
      >
        <IconX size={16} />
      </ActionIcon>
    </li>
  )
}
