import { CHECK_GROUPS, SEVERITY_LABELS, checkById, checkOfFilter, discrepancyGroup, isDiscrepancyGroup } from '#contract/checks.ts'
import { propertyField, type PropertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { CONSTRUCTION_CLASSES, PROPERTY_STATUSES, PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import { stateName } from '#contract/regions.ts'
import type { FilterLabel } from '#web/engines/datatable/filter-labels.ts'
import { formatDate, formatMoney, formatNumber } from '#contract/format.ts'

export type PropertyValue = string | number | null

const COUNTRY_NAMES: Readonly<Record<string, string>> = COUNTRIES

/** The value of a field as a person reads it; '' when it is empty. */
export function valueWords(name: PropertyFieldName, value: PropertyValue | undefined): string {
  if (value === null || value === undefined || value === '') return ''
  const field: PropertyField = propertyField(name)
  switch (field.kind) {
    case 'choice':
      return field.choices[String(value)] ?? String(value)
    case 'money':
      return formatMoney(Number(value))
    case 'area':
      return `${formatNumber(Number(value))} sq ft`
    case 'percent':
      return `${String(value)}%`
    case 'integer':
      return formatNumber(Number(value))
    case 'date':
      return formatDate(String(value), 'UTC')
    case 'state':
      return stateName(String(value))
    case 'country':
      return COUNTRY_NAMES[String(value)] ?? String(value)
    case 'text':
    case 'year':
    case 'number':
    case 'latitude':
    case 'longitude':
    case 'postal_code':
    case 'currency':
      return String(value)
    default:
      return field satisfies never
  }
}

const LABELS: Readonly<Record<string, { label: string; words: Readonly<Record<string, string>> }>> = {
  severity: { label: 'Severity', words: SEVERITY_LABELS },
  property_type: { label: 'Property type', words: PROPERTY_TYPES },
  construction: { label: 'Construction', words: CONSTRUCTION_CLASSES },
  status: { label: 'Status', words: PROPERTY_STATUSES },
  has_discrepancy: { label: 'Findings', words: { '1': 'Open findings', '0': 'No open findings' } },
  flagged: { label: 'Flag', words: { '1': 'Flagged', '0': 'Not flagged' } },
}

const findingWords = (value: string) => {
  const check = checkOfFilter(value)
  return check === undefined ? value : checkById(check).name
}
const each = (value: string, words: (one: string) => string) => value.split(',').map(words).join(', ')

/** Words for the filters that the reconciliation and the metrics link to. */
export const propertyFilterWords: FilterLabel = (name, value) => {
  if (name === 'discrepancy') return { label: 'Finding', text: each(value, findingWords) }
  if (name === 'discrepancy_group')
    return {
      label: 'Findings',
      text: each(value, (one) => (isDiscrepancyGroup(one) ? discrepancyGroup(one).label : (groupLabels[one] ?? one))),
    }
  if (name === 'state') return { label: 'State', text: each(value, stateName) }
  const known = LABELS[name]
  return known && { label: known.label, text: each(value, (one) => known.words[one] ?? one) }
}
const groupLabels: Readonly<Record<string, string>> = CHECK_GROUPS
