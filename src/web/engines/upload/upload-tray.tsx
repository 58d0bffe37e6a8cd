import { ActionIcon, Button, Progress, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { useEffect, useState } from 'react'
import { useSession } from '#web/data/session.ts'
import { isRunning, type UploadItem } from './upload-item.ts'
import { UploadLine } from './upload-line.tsx'
import { cancelAllUploads, dismissUpload, restoreUploads } from './upload-queue.ts'
import classes from './upload-tray.module.css'
import { percentOf, speedWords } from './upload-words.ts'
import { uploads, useUploads, useUploadTotals, type UploadTotals } from './uploads.ts'
import { useArrivals } from './use-arrivals.ts'
import { useClock } from './use-clock.ts'

/** Running uploads at the bottom right, whatever page is open. Stands in the shell, inside the session: it also takes up what a reload interrupted. */
export function UploadTray() {
  const { auth_user } = useSession()
  useEffect(() => {
    // A browser that cannot remember has nothing to restore.
    restoreUploads(uploads, auth_user.id).catch(() => undefined)
  }, [auth_user.id])
  const items = useUploads()
  const totals = useUploadTotals(items)
  useArrivals(items)
  useLeaveWarning(totals.running > 0)
  return items.length === 0 ? null : <Tray items={items} totals={totals} />
}

function Tray({ items, totals }: { items: readonly UploadItem[]; totals: UploadTotals }) {
  const [open, setOpen] = useState(true)
  const now = useClock(items.some((item) => item.pause !== null))
  const percent = percentOf(totals.sent, totals.size)
  const title = trayTitle(items, totals.running)
  return (
    <section className={classes['tray']} aria-label="Uploads">
      <div className={classes['heading']}>
        <div className={classes['words']}>
          <Text fw={600} role="status">
            {title}
          </Text>
          {totals.running > 0 && (
            <Text size="xs" c="dimmed" className="tabular">
              {[`${percent}%`, speedWords(totals.speed, totals.size - totals.sent)].filter(Boolean).join(', ')}
            </Text>
          )}
        </div>
        {totals.running > 0 ? (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => cancelAllUploads(uploads)}>
            Cancel all
          </Button>
        ) : (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => items.forEach((item) => dismissUpload(uploads, item.id))}>
            Clear
          </Button>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={open}
          aria-label={open ? 'Fold uploads' : 'Show uploads'}
          onClick={() => setOpen(!open)}
        >
          {open ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
        </ActionIcon>
      </div>
      {totals.running > 0 && <Progress value={percent} size={3} radius={0} aria-label="All uploads" />}
      {open && (
        <ul className={classes['list']}>
          {items.map((item) => (
            <UploadLine key={item.id} item={item} now={now} />
          ))}
        </ul>
      )}
    </section>
  )
}

function trayTitle(items: readonly UploadItem[], running: number): string {
  const files = (count: number) => (count === 1 ? '1 file' : `${count} files`)
  if (running > 0) return `Uploading ${files(items.filter(isRunning).length)}`
  const waiting = items.filter((item) => item.status === 'needs_file').length
  if (waiting > 0) return `${files(waiting)} to drop again`
  const failed = items.filter((item) => item.status === 'failed').length
  if (failed > 0) return `${files(failed)} not uploaded`
  return `${files(items.filter((item) => item.status === 'done').length)} uploaded`
}

/** The browser's own question before the page is closed in the middle of an upload. */
function useLeaveWarning(running: boolean) {
  useEffect(() => {
    if (!running) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [running])
}
