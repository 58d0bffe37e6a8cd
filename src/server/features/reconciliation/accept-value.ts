import { isPropertyField, propertyFieldSchema } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { invalid } from '#server/kernel/errors.ts'
import { setPropertyValue } from '../account-properties/properties.record.ts'
import { sideOf } from './discrepancies.presenter.ts'
import type { DiscrepancyRecord } from './discrepancies.queries.ts'

/** Other sides that are a value of the field itself; the rest only explain what is wrong. */
const PROPOSING_SOURCES: ReadonlySet<string> = new Set(['sum_of_parts', 'estimate'])

/**
 * Writes the accepted value into the register with where it came from: the sent one, else the other side's where that is a value of
 * the field. It is an edit of the property like any other, and refused where an edit would be.
 */
export async function acceptValue(tx: WriteContext, discrepancy: DiscrepancyRecord, sent: string | number | undefined): Promise<void> {
  const { field, property_id: id } = discrepancy
  const right = sideOf(discrepancy.right_value)
  const proposed = right !== null && PROPOSING_SOURCES.has(right.source) ? right.value : undefined
  const value = sent ?? proposed
  if (field === null || id === null || !isPropertyField(field) || value === undefined || value === null)
    throw invalid({ value: ['This difference brings no value of its own. Please enter the right one, or keep or waive it.'] })
  const source =
    sent === undefined ? { source: right?.source ?? 'reconciliation', ref: right?.ref ?? null } : { source: 'reconciliation', ref: null }
  await setPropertyValue(tx, id, field, parsed(field, value), source)
}

const MEASURED: ReadonlySet<string> = new Set(['integer', 'number', 'year', 'area', 'percent', 'money', 'latitude', 'longitude'])

/** The value as the field holds it, checked by the field's own rule. */
function parsed(field: PropertyFieldName, value: string | number): unknown {
  const definition = propertyField(field)
  const result = propertyFieldSchema(definition).safeParse(MEASURED.has(definition.kind) ? value : String(value))
  if (!result.success) throw invalid({ value: [`This is not a value of ${definition.label}.`] })
  return result.data
}
