import { SECOND_MS } from '#contract/limits.ts'
import { formatBytes } from '#contract/format.ts'
import type { UploadItem } from './upload-item.ts'

/** Whole percent of bytes; an upload under way never shows 100 before it has arrived. */
export const percentOf = (sent: number, size: number) => (size === 0 ? 0 : Math.min(99, Math.floor((sent / size) * 100)))

/** What an upload is doing, as a person reads it. */
export function uploadWords(item: UploadItem, now: number): string {
  switch (item.status) {
    case 'waiting':
      return `Waiting, ${formatBytes(item.size)}`
    case 'sending':
    case 'registering':
      return pauseWords(item, now) ?? (item.status === 'registering' ? 'Adding it to the account' : sendingWords(item))
    case 'needs_file':
      return `${percentOf(item.sent, item.size)}% arrived. Drop the same file again to go on.`
    case 'done':
      return item.duplicateOf === null
        ? `Uploaded, ${formatBytes(item.size)}`
        : `Uploaded. The same content is already here as “${item.duplicateOf}”.`
    case 'failed':
      return item.error ?? 'The upload failed.'
    case 'cancelled':
      return 'Cancelled'
    default:
      return item.status satisfies never
  }
}

const sendingWords = (item: UploadItem) => `${percentOf(item.sent, item.size)}%, ${formatBytes(item.sent)} of ${formatBytes(item.size)}`

function pauseWords({ pause }: UploadItem, now: number): string | null {
  if (pause === null) return null
  if (pause.reason === 'offline') return 'No connection. It goes on by itself once you are online.'
  const seconds = Math.max(0, Math.ceil((pause.at - now) / SECOND_MS))
  return seconds === 0 ? `Trying again. ${pause.because}` : `Next try in ${seconds} s. ${pause.because}`
}

/** "12.4 MB/s, about 3 min left" */
export function speedWords(speed: number, bytesLeft: number): string {
  if (speed <= 0) return ''
  const seconds = bytesLeft / speed
  const left = seconds < 60 ? 'less than a minute left' : `about ${Math.round(seconds / 60)} min left`
  return `${formatBytes(speed)}/s, ${left}`
}
