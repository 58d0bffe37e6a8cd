import { Button, Group, Progress, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { Fragment, useEffect, useEffectEvent, useState } from 'react'
import { formatBytes, formatNumber, plural } from '#contract/format.ts'
import { SECOND_MS, UPLOAD_SPEED_WINDOW_MS } from '#contract/limits.ts'
import { useCan } from '#web/data/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { hasProposal, isDocument, linkProposed, removeDocuments } from './document-commands.ts'
import { isRunning, percentOf, type UploadItem } from './upload-item.ts'
import { cancelAllUploads, dismissUpload } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'
import classes from './uploads.module.css'
import { uploads } from './uploads.ts'

/** The uploads of this visit with their progress and outcome, and what can be done with several of them. */
export function UploadTray({ items }: { items: readonly UploadItem[] }) {
  const [open, setOpen] = useState(true)
  const [shown, setShown] = useState<string | null>(null)
  const listed = inOrder(items.filter(OUTCOMES.find(({ name }) => name === shown)?.includes ?? (() => true)))
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
          <Text fw={600} role="status" component="div">
            {running > 0 ? (
              `Uploading ${plural(running, 'file')}`
            ) : (
              <Counts items={items} shown={shown} onShow={(label) => setShown(shown === label ? null : label)} />
            )}
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
      {open && running === 0 && <BulkCommands items={items} />}
      {open && (
        <ul className={classes['list']}>
          {listed.slice(0, ROWS_MAX).map((item) => (
            <UploadRow key={item.id} item={item} />
          ))}
          {listed.length > ROWS_MAX && <li className={classes['more']}>and {formatNumber(listed.length - ROWS_MAX)} more</li>}
        </ul>
      )}
    </section>
  )
}

/** Thousands of rows would make the page slow. */
const ROWS_MAX = 100

const rankOf = ({ status }: UploadItem) =>
  status === 'sending' || status === 'registering' ? 0 : status === 'failed' || status === 'needs_file' ? 1 : 2

/** Of a long list, first the files that are being sent, and those that need the user. */
const inOrder = (items: readonly UploadItem[]) => (items.length > ROWS_MAX ? items.toSorted((a, b) => rankOf(a) - rankOf(b)) : items)

interface Outcome {
  name: 'uploaded' | 'rejected' | 'duplicate' | 'failed' | 'waiting' | 'canceled'
  text: (count: number) => string
  includes: (item: UploadItem) => boolean
}

const isDone = ({ status }: UploadItem) => status === 'done'

/** How an upload can end. Every upload that does not run has exactly one of these. */
const OUTCOMES: readonly Outcome[] = [
  {
    name: 'uploaded',
    text: (count) => `${plural(count, 'file')} uploaded`,
    includes: (item) => isDone(item) && item.duplicateOf === null,
  },
  { name: 'rejected', text: (count) => `${count} rejected`, includes: ({ status, rejected }) => status === 'failed' && rejected },
  { name: 'duplicate', text: (count) => plural(count, 'duplicate'), includes: (item) => isDone(item) && item.duplicateOf !== null },
  {
    name: 'failed',
    text: (count) => `${plural(count, 'file')} not uploaded`,
    includes: ({ status, rejected }) => status === 'failed' && !rejected,
  },
  { name: 'waiting', text: (count) => `${plural(count, 'file')} to drop again`, includes: ({ status }) => status === 'needs_file' },
  { name: 'canceled', text: (count) => `${count} canceled`, includes: ({ status }) => status === 'canceled' },
]

interface CountsProps {
  items: readonly UploadItem[]
  shown: string | null
  onShow: (name: string) => void
}

/** The number of uploads with each outcome; each opens these uploads. */
function Counts({ items, shown, onShow }: CountsProps) {
  const counted = OUTCOMES.map((outcome) => ({ ...outcome, count: items.filter(outcome.includes).length })).filter(({ count }) => count > 0)
  return counted.map(({ name, text, count }, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <button type="button" className={classes['count']} aria-pressed={shown === name} onClick={() => onShow(name)}>
        {text(count)}
      </button>
    </Fragment>
  ))
}

/** Confirms all proposed links, or removes all duplicates, where there are several. */
function BulkCommands({ items }: { items: readonly UploadItem[] }) {
  const can = useCan()
  const proposals = items.filter(hasProposal)
  const duplicates = can('delete_account_files') ? items.filter(isDocument).filter(({ duplicateOf }) => duplicateOf !== null) : []
  if (proposals.length < 2 && duplicates.length < 2) return null
  return (
    <Group gap={6} px={12} pb={8}>
      {proposals.length > 1 && (
        <Button size="compact-xs" variant="default" onClick={() => void linkProposed(proposals)}>
          Link {plural(proposals.length, 'document')} to the proposed properties
        </Button>
      )}
      {duplicates.length > 1 && (
        <Button size="compact-xs" variant="default" onClick={() => void removeDocuments(duplicates)}>
          Remove {plural(duplicates.length, 'duplicate')}
        </Button>
      )}
    </Group>
  )
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
