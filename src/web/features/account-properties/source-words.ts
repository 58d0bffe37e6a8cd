import type { Property } from '#contract/account-properties.ts'
import { formatDateTime } from '#contract/format.ts'

type Source = Property['sources'][string]

const VERBS: Readonly<Record<string, string>> = {
  form: 'Entered',
  import: 'Imported',
  document: 'Taken from a document',
  discrepancy: 'Accepted from a finding',
  geocoder: 'Found by the address',
}

/** Where a value comes from, as one sentence over two lines. */
export function sourceWords({ source, by, at, ref }: Source, zone: string): string {
  const who = by === null || by === '' ? '' : ` by ${by}`
  const when = Number.isNaN(Date.parse(at)) ? '' : ` on ${formatDateTime(at, zone)}`
  return `${VERBS[source] ?? source}${who}${when}${ref === null || ref === '' ? '' : `\n${ref}`}`
}
