import { Button, Group, Progress, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { useEffect, useEffectEvent, useState } from 'react'
import { formatBytes, plural } from '#contract/format.ts'
import { SECOND_MS, UPLOAD_SPEED_WINDOW_MS } from '#contract/limits.ts'
import { useSession } from '#web/data/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { isRunning, type UploadItem } from './upload-item.ts'
import { cancelAllUploads, dismissUpload, restoreUploads } from './upload-queue.ts'
import { percentOf, UploadRow } from './upload-row.tsx'
import classes from './uploads.module.css'
import { uploads, useUploads } from './uploads.ts'

/** The uploads at the bottom right of every page. Also continues the uploads that a reload interrupted. */
export function UploadTray() {
  const { auth_user } = useSession()
  useEffect(() => {
    // A browser without IndexedDB has nothing to restore.
    restoreUploads(uploads, auth_user.id).catch(() => undefined)
  }, [auth_user.id])
  const items = useUploads()
  return items.length === 0 ? null : <Tray items={items} />
}

function Tray({ items }: { items: readonly UploadItem[] }) {
  const [open, setOpen] = useState(true)
  const running = items.filter(isRunning).length
  const counted = items.filter((item) => isRunning(item) || item.status === 'done')
  const sent = counted.reduce((sum, item) => sum + item.sent, 0)
  const size = counted.reduce((sum, item) => sum + item.size, 0)
  const percent = percentOf(sent, size)
  const speed = useSpeed(sent, running > 0)
  // The browser asks before the page is closed during an upload.
  useWindowEvent('beforeunload', (event) => {
    if (running > 0) event.preventDefault()
  })
  return (
    <section className={classes['tray']} aria-label="Uploads">
      <Group gap={4} wrap="nowrap" mih={48} py={6} pl={12} pr={8}>
        <div className={classes['middle']}>
          <Text fw={600} role="status">
            {trayTitle(items, running)}
          </Text>
          {running > 0 && (
            <Text size="xs" c="dimmed" className="tabular">
              {percent}%{speed > 0 && `, ${speedText(speed, size - sent)}`}
            </Text>
          )}
        </div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => (running > 0 ? cancelAllUploads(uploads) : items.forEach((item) => dismissUpload(uploads, item.id)))}
        >
          {running > 0 ? 'Cancel all' : 'Clear'}
        </Button>
        <IconButton name={open ? 'Collapse uploads' : 'Show uploads'} size={28} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? <IconChevronDown size={16} aria-hidden /> : <IconChevronUp size={16} aria-hidden />}
        </IconButton>
      </Group>
      {running > 0 && <Progress value={percent} size={3} radius={0} aria-label="All uploads" />}
      {open && (
        <ul className={classes['list']}>
          {items.map((item) => (
            <UploadRow key={item.id} item={item} />
          ))}
        </ul>
      )}
    </section>
  )
}

function trayTitle(items: readonly UploadItem[], running: number): string {
  const count = (status: UploadItem['status']) => items.filter((item) => item.status === status).length
  if (running > 0) return `Uploading ${plural(running, 'file')}`
  if (count('needs_file') > 0) return `${plural(count('needs_file'), 'file')} to drop again`
  if (count('failed') > 0) return `${plural(count('failed'), 'file')} not uploaded`
  return `${plural(count('done'), 'file')} uploaded`
}

/** "12.4 MB/s, about 3 min left" */
function speedText(bytesPerSecond: number, bytesLeft: number): string {
  const seconds = bytesLeft / bytesPerSecond
  const left = seconds < 60 ? 'less than a minute left' : `about ${Math.round(seconds / 60)} min left`
  return `${formatBytes(bytesPerSecond)}/s, ${left}`
}

/** Bytes per second over the last seconds, from one sample a second. */
function useSpeed(sent: number, running: boolean): number {
  const [samples, setSamples] = useState<readonly { at: number; sent: number }[]>([])
  const addSample = useEffectEvent(() => {
    const at = Date.now()
    // The total shrinks when an item is removed from the list.
    const recent = samples.filter((old) => at - old.at <= UPLOAD_SPEED_WINDOW_MS && old.sent <= sent)
    setSamples([...recent, { at, sent }])
  })
  useEffect(() => {
    if (!running) return undefined
    const timer = setInterval(addSample, SECOND_MS)
    return () => {
      clearInterval(timer)
      setSamples([])
    }
  }, [running])
  const first = samples[0]
  const last = samples.at(-1)
  return first && last && first !== last ? ((last.sent - first.sent) / (last.at - first.at)) * SECOND_MS : 0
}
