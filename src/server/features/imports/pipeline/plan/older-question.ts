import { formatNumber, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { isInsuredValue } from '#contract/property-fields.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { sheetYear } from '#server/features/imports/pipeline/read/sheet-year.ts'
import type { Tally } from './tally.ts'

interface NamedFile {
  columns: readonly { column: string; header: string }[]
  mapping: Readonly<Record<string, string>>
  /** Of the sheets with the schedule. */
  sheetNames: readonly string[]
}

/** The year of the values in a file: the newest that the headers of mapped values name, or else its sheets. Undefined without one. */
export function yearOfValues({ columns, mapping, sheetNames }: NamedFile): number | undefined {
  const headers = columns.flatMap(({ column, header }) =>
    isInsuredValue(mapping[column]) ? [normalizeHeader(header).year ?? []].flat() : [],
  )
  const years = headers.length > 0 ? headers : sheetNames.flatMap((name) => sheetYear(name) ?? [])
  return years.length === 0 ? undefined : Math.max(...years)
}

export interface ValueYears {
  /** Of the file. */
  year: number | undefined
  /** Of the last import of the account whose year is known. */
  last: { year: number; fileName: string } | undefined
}

interface OlderFacts {
  constants: Readonly<Record<string, string>>
  tally: Tally
  years?: ValueYears
}

const NO_YEARS: ValueYears = { year: undefined, last: undefined }

/** Whether a file with older values may replace newer ones. */
export function olderQuestion({ constants, tally, years: { year, last } = NO_YEARS }: OlderFacts): Import['questions'] {
  const changed = tally['tab change'] ?? 0
  const isOlder = year !== undefined && last !== undefined && year < last.year
  if (!isOlder || changed === 0 || constants['older_values'] !== undefined) return []
  const message = `The values in the file are those of ${year}, and the register has those of ${last.year} from “${last.fileName}”. Replace the newer ones of ${plural(changed, 'property', 'properties')}?`
  const options = { add_only: 'No, only add new locations', replace: `Yes, change ${formatNumber(changed)}` }
  return [{ constant: 'older_values', suggestion: 'add_only', message, options }]
}
