import { formatBytes, formatDateTime, plural } from '#contract/format.ts'
import type { Receipt } from '#contract/managed.ts'

interface Reader {
  name: string
  email: string
  zone: string
}

/** The receipt as a plain text to keep: what arrived, when, and with which checksum. */
export function receiptText({ account, documents }: Receipt, { name, email, zone }: Reader, now: string): string {
  const lines = documents.map((document, index) =>
    [
      `${index + 1}. ${document.name}`,
      `   ${formatBytes(document.size)}, arrived ${formatDateTime(document.received_at, zone)}`,
      `   SHA-256: ${document.sha256 ?? 'not computed yet'}`,
      ...(document.duplicate_of === null ? [] : [`   Already there: ${document.duplicate_of}`]),
    ].join('\n'),
  )
  const head = [`Receipt for documents sent to ${account}`, `Sent by: ${name} (${email})`, `As of: ${formatDateTime(now, zone)} (${zone})`]
  return [head.join('\n'), `${plural(documents.length, 'document')} arrived in the last 24 hours.`, ...lines, ''].join('\n\n')
}
