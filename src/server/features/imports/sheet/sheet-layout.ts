import { normaliseHeader } from '#server/features/imports/headers/normalise-header.ts'
import { scoreHeader } from '#server/features/imports/headers/score-header.ts'
import type { HeaderTarget } from '#server/features/imports/headers/header-target.ts'
import type { FoundHeader } from './find-header.ts'
import { cellText, type SheetRow } from './sheet-row.ts'

/** The headers of a sheet in comparable words, years included: sheets with the same layout can be read with one mapping. */
export function layoutOf(header: FoundHeader | undefined): string {
  if (!header) return ''
  const words = header.labels.map((label) => {
    const { words: plain, year } = normaliseHeader(label)
    return year === null ? plain : `${plain} ${year}`
  })
  while (words.at(-1) === '') words.pop()
  return words.join('|')
}

/** What tells one location from another. */
const IDENTITY: ReadonlySet<HeaderTarget> = new Set<HeaderTarget>([
  'location_number',
  'building_number',
  'external_id',
  'property_name',
  'address',
  'full_address',
  'city',
  'postal_code',
])
const SAME_SHARE = 0.5

/** The locations at the top of a sheet, each as one text. */
export function locationsOf(header: FoundHeader | undefined, head: readonly SheetRow[]): ReadonlySet<string> {
  if (!header) return new Set()
  const columns = header.labels.flatMap((label, index) => (isIdentity(label) ? [index] : []))
  const texts = head
    .filter(({ number }) => number > header.row)
    .map(({ cells }) => columns.map((column) => cellText(cells[column]).toLowerCase()))
    .filter((parts) => parts.filter((part) => part !== '').length > 1)
  return new Set(texts.map((parts) => parts.join('|')))
}

const isIdentity = (label: string): boolean => {
  const [best] = scoreHeader(normaliseHeader(label))
  return best !== undefined && best.score >= 0.9 && IDENTITY.has(best.target)
}

/** Two sheets list the same locations: one is a copy or a later version of the other. */
export function areAlike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const [few, many] = left.size <= right.size ? [left, right] : [right, left]
  if (few.size === 0) return false
  return [...few].filter((location) => many.has(location)).length / few.size >= SAME_SHARE
}
