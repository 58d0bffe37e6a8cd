import { takeBritishCode } from '#server/engines/address/british-address.ts'
import { addIssue, type ReadRow } from './results.ts'

/** Where people write the postal code if they have no column for it. */
const FIELDS = ['city', 'county', 'address_2', 'address'] as const

/**
 * Moves a British postal code from the end of the city or the address to its own field, if the row has none. Without a sign of the country
 * it comes with a warning. A row with a state or with another country has no British postal code.
 */
export function takePostalCode(row: ReadRow): void {
  const { fields, origin } = row
  if (fields.postal_code || fields.state || (fields.country && fields.country !== 'GB')) return
  for (const name of FIELDS) {
    const text = fields[name]
    const taken = text ? takeBritishCode(text) : undefined
    if (!text || !taken || taken.rest === '') continue
    fields[name] = taken.rest
    fields.postal_code = taken.code
    const from = origin[name]
    if (from !== undefined) origin.postal_code = from
    if (fields.country === 'GB' || fields.currency === 'GBP') return
    const message = `“${taken.code}” at the end of “${text}” is read as the postal code. Type the postal code if that is wrong.`
    addIssue(row, 'postal_code', text, { code: 'value_elsewhere', severity: 'warning', message })
    return
  }
}
