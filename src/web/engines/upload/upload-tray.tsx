import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { useEffect, useRef, useState } from 'react'
import { formatBytes } from '#contract/format.ts'
import { useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import type { UploadItem } from './upload-item.ts'
import { cancelAllUploads, dismissUpload, restoreUploads } from './upload-queue.ts'
import { percentOf, UploadRow } from './upload-row.tsx'
import classes from './uploads.module.css'
import { uploads, useUploads, useUploadTotals, type UploadTotals } from './uploads.ts'

/** The uploads at the bottom right of every page. Also continues the uploads that a reload interrupted. */
export function UploadTray() {
  const { auth_user } = useSession()
  useEffect(() => {
    // A browser without IndexedDB has nothing to restore.
    restoreUploads(uploads, auth_user.id).catch(() => undefined)
  }, [auth_user.id])
  const items = useUploads()
  const totals = useUploadTotals(items)
  useInvalidateDocuments(items)
  useLeaveWarning(totals.running > 0)
  return items.length === 0 ? null : <Tray items={items} totals={totals} />
}

function Tray({ items, totals }: { items: readonly UploadItem[]; totals: UploadTotals }) {
  const [open, setOpen] = useState(true)
  const percent = percentOf(totals.sent, totals.size)
  return (
    <section className={classes['tray']} aria-label="Uploads">
      <Group gap={4} wrap="nowrap" mih={48} py={6} pl={12} pr={8}>
        <div className={classes['middle']}>
          <Text fw={600} role="status">
            {trayTitle(items, totals.running)}
          </Text>
          {totals.running > 0 && (
            <Text size="xs" c="dimmed" className="tabular">
              {[`${percent}%`, speedText(totals)].filter(Boolean).join(', ')}
            </Text>
          )}
        </div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => (totals.running > 0 ? cancelAllUploads(uploads) : items.forEach((item) => dismissUpload(uploads, item.id)))}
        >
          {totals.running > 0 ? 'Cancel all' : 'Clear'}
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={open}
          aria-label={open ? 'Collapse uploads' : 'Show uploads'}
          onClick={() => setOpen(!open)}
        >
          {open ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
        </ActionIcon>
      </Group>
      {totals.running > 0 && <Progress value={percent} size={3} radius={0} aria-label="All uploads" />}
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
  const files = (count: number) => (count === 1 ? '1 file' : `${count} files`)
  const count = (status: UploadItem['status']) => items.filter((item) => item.status === status).length
  if (running > 0) return `Uploading ${files(running)}`
  if (count('needs_file') > 0) return `${files(count('needs_file'))} to drop again`
  if (count('failed') > 0) return `${files(count('failed'))} not uploaded`
  return `${files(count('done'))} uploaded`
}

/** "12.4 MB/s, about 3 min left" */
function speedText({ speed, sent, size }: UploadTotals): string {
  if (speed <= 0) return ''
  const seconds = (size - sent) / speed
  const left = seconds < 60 ? 'less than a minute left' : `about ${Math.round(seconds / 60)} min left`
  return `${formatBytes(speed)}/s, ${left}`
}

/** Refetches the documents of an account when an upload has been registered in it. */
function useInvalidateDocuments(items: readonly UploadItem[]) {
  const seen = useRef(new Set<string>())
  useEffect(() => {
    for (const item of items) {
      if (item.fileId === null || seen.current.has(item.id)) continue
      seen.current.add(item.id)
      invalidateAfterWrite('account_files', null, item.accountId)
    }
  }, [items])
}

/** The browser asks before the page is closed during an upload. */
function useLeaveWarning(running: boolean) {
  useEffect(() => {
    if (!running) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [running])
}
