import { randomId } from '@mantine/hooks'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { SECOND_MS } from '#contract/limits.ts'
import { onPageEvent } from '#web/data/page-events.ts'
import { apiTransport } from './api-transport.ts'
import { browserConnection } from './connection.ts'
import { indexedDbMemory } from './indexed-db-memory.ts'
import { speedMeter } from './speed.ts'
import { isRunning, type UploadItem } from './upload-item.ts'
import { createUploadQueue, suspendUploads } from './upload-queue.ts'

/** The one queue of this tab: it lives above the routes, so that an upload outlives the panel it was started in. */
export const uploads = createUploadQueue({
  transport: apiTransport,
  memory: indexedDbMemory(),
  connection: browserConnection,
  now: () => Date.now(),
  // Not crypto.randomUUID, which plain HTTP lacks.
  newId: () => randomId(''),
})

onPageEvent('session-ended', () => suspendUploads(uploads))

export const useUploads = (): readonly UploadItem[] => useSyncExternalStore(uploads.list.subscribe, uploads.list.items)

/** The uploads into one account, for a purpose. */
export function useUploadsOf(accountId: string, purpose: UploadItem['purpose']): readonly UploadItem[] {
  return useUploads().filter((item) => item.accountId === accountId && item.purpose === purpose)
}

export interface UploadTotals {
  running: number
  /** Bytes. */
  sent: number
  size: number
  /** Bytes a second over the last seconds. */
  speed: number
}

/** Adds up what is under way, with the speed of all together. */
export function useUploadTotals(items: readonly UploadItem[]): UploadTotals {
  const moving = items.filter((item) => isRunning(item) || item.status === 'done')
  const sent = moving.reduce((sum, item) => sum + item.sent, 0)
  const size = moving.reduce((sum, item) => sum + item.size, 0)
  const running = items.filter(isRunning).length
  const latest = useRef(sent)
  useEffect(() => {
    latest.current = sent
  }, [sent])
  const [speed, setSpeed] = useState(0)
  useEffect(() => {
    if (running === 0) return undefined
    const meter = speedMeter(() => Date.now())
    meter.sample(latest.current)
    const timer = setInterval(() => setSpeed(meter.sample(latest.current)), SECOND_MS)
    return () => clearInterval(timer)
  }, [running])
  return { running, sent, size, speed: running === 0 ? 0 : speed }
}
