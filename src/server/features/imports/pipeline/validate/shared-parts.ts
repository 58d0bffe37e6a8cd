import { PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import { textPool } from '#server/kernel/text-pool.ts'
import { setField, type ReadRow } from './results.ts'

/** Fields whose texts differ from row to row. */
const OWN_TEXTS: ReadonlySet<PropertyFieldName> = new Set(['location_number', 'external_id', 'property_name', 'address', 'description'])
const POOLED_FIELDS = PROPERTY_FIELD_NAMES.filter((name) => !OWN_TEXTS.has(name))

/**
 * Reduces the memory of a large file, whose rows are all held until they are matched: most rows have the same columns filled, so they
 * share the lists of these columns; equal texts and messages are one string; and a copy of an object or of a list takes less memory than
 * one that grew.
 */
export function sharedParts(): (row: ReadRow) => ReadRow {
  let last: Pick<ReadRow, 'origin' | 'empty' | 'assumed'> | undefined
  let lastKey = ''
  const pool = textPool()
  return (row) => {
    const { origin, empty, assumed } = row
    const key = [Object.entries(origin).join(), empty.join(), assumed.join()].join('|')
    if (last === undefined || key !== lastKey) {
      last = { origin, empty, assumed }
      lastKey = key
    }
    for (const name of POOLED_FIELDS) if (typeof row.fields[name] === 'string') setField(row.fields, name, pool(row.fields[name]))
    for (const issue of row.issues) {
      issue.message = pool(issue.message)
      issue.value = pool(issue.value)
    }
    return { ...row, ...last, fields: { ...row.fields }, issues: [...row.issues] }
  }
}
