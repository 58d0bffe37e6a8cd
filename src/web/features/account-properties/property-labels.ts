import { CHECK_GROUPS, SEVERITY_LABELS, checkById, checkOfFilter, discrepancyGroup, isDiscrepancyGroup } from '#contract/checks.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { formatDate, formatMoney, formatNumber } from '#contract/format.ts'
import { propertyField, type PropertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { CONSTRUCTION_CLASSES, PROPERTY_STATUSES, PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import { stateName } from '#contract/regions.ts'
import type { FilterLabel } from '#web/engines/datatable/list.ts'

export type PropertyValue = string | number | null

export const labelIn = (labels: Readonly<Record<string, string>>, code: string): string => labels[code] ?? code

/** The value of a field for display; '' when it is empty. */
export function formatValue(name: PropertyFieldName, value: PropertyValue | undefined): string {
  if (value === null || value === undefined || value === '') return ''
  const field: PropertyField = propertyField(name)
  switch (field.kind) {
    case 'choice':
      return labelIn(field.choices, String(value))
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
      return labelIn(COUNTRIES, String(value))
    default:
      return String(value)
  }
}

/** As the table shows it: without the unit, which is in the column header, and states as codes. */
export function formatCell(name: PropertyFieldName, value: PropertyValue): string {
  if (name === 'floor_area' && value !== null) return formatNumber(Number(value))
  return name === 'state' ? String(value ?? '') : formatValue(name, value)
}

interface FilterLabels {
  label: string
  format: (value: string) => string
}

const labeled = (label: string, labels: Readonly<Record<string, string>>): FilterLabels => ({
  label,
  format: (value) => labelIn(labels, value),
})

const FILTERS: Readonly<Record<string, FilterLabels>> = {
  severity: labeled('Severity', SEVERITY_LABELS),
  property_type: labeled('Property type', PROPERTY_TYPES),
  construction: labeled('Construction', CONSTRUCTION_CLASSES),
  status: labeled('Status', PROPERTY_STATUSES),
  has_discrepancy: labeled('Findings', { '1': 'Open findings', '0': 'No open findings' }),
  flagged: labeled('Flag', { '1': 'Flagged', '0': 'Not flagged' }),
  state: { label: 'State', format: stateName },
  discrepancy: {
    label: 'Finding',
    format: (value) => {
      const check = checkOfFilter(value)
      return check === undefined ? value : checkById(check).name
    },
  },
  discrepancy_group: {
    label: 'Findings',
    format: (value) => (isDiscrepancyGroup(value) ? discrepancyGroup(value).label : labelIn(CHECK_GROUPS, value)),
  },
}

/** Labels of the filters that reconciliation and metrics link to but that the filter menu doesn't contain. */
export const propertyFilterLabel: FilterLabel = (name, value) => {
  const filter = FILTERS[name]
  return filter && { label: filter.label, text: value.split(',').map(filter.format).join(', ') }
}
