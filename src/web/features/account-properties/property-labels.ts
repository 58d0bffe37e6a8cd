import { CHECKS, SEVERITY_LABELS, discrepancyGroup, isDiscrepancyGroup } from '#contract/checks.ts'
import type { Property } from '#contract/account-properties.ts'
import { formatDateTime, formatExact } from '#contract/format.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { formatPropertyValue, type PropertyValue } from '#contract/property-format.ts'
import { CONSTRUCTION_CLASSES, PROPERTY_TYPES, shortType } from '#contract/property-vocabularies.ts'
import { stateName } from '#contract/regions.ts'
import type { FilterLabel } from '#web/engines/datatable/list.ts'

export const labelIn = (labels: Readonly<Record<string, string>>, code: string): string => labels[code] ?? code

/** The construction classes where there is no room for their names. */
const CONSTRUCTION_CODES: Readonly<Record<string, string>> = {
  '1': '1 F',
  '2': '2 JM',
  '3': '3 NC',
  '4': '4 MNC',
  '5': '5 MFR',
  '6': '6 FR',
}

/** As its narrow column shows it. */
export const shortText = (name: PropertyFieldName, value: unknown, text: string): string =>
  name === 'property_type' ? shortType(text) : (name === 'construction_class' && CONSTRUCTION_CODES[String(value)]) || text

/** As the table shows it: without the unit, which is in the heading or the totals, and states as codes. */
export function formatCell(name: PropertyFieldName, value: PropertyValue): string {
  const { kind } = propertyField(name)
  if ((kind === 'area' || kind === 'money') && value !== null) return formatExact(Number(value))
  return name === 'state' ? String(value ?? '') : formatPropertyValue(name, value)
}

const labeledBy =
  (labels: Readonly<Record<string, string>>) =>
  (value: string): string =>
    labelIn(labels, value)

const FILTERS: Readonly<Record<string, { label: string; format: (value: string) => string }>> = {
  severity: { label: 'Severity', format: labeledBy(SEVERITY_LABELS) },
  property_type: { label: 'Property type', format: labeledBy(PROPERTY_TYPES) },
  construction: { label: 'Construction', format: labeledBy(CONSTRUCTION_CLASSES) },
  state: { label: 'State', format: stateName },
  has_discrepancy: { label: 'Has discrepancies', format: labeledBy({ '1': 'Yes', '0': 'No' }) },
  discrepancy: { label: 'Check', format: (value) => Object.values(CHECKS).find(({ filter }) => filter === value)?.name ?? value },
  discrepancy_group: { label: 'Kind of check', format: (value) => (isDiscrepancyGroup(value) ? discrepancyGroup(value).label : value) },
}

/** Labels of the filters that reconciliation and metrics link to, also for users without a filter menu. */
export const propertyFilterLabel: FilterLabel = (name, value) => {
  const filter = FILTERS[name]
  return filter && { label: filter.label, text: value.split(',').map(filter.format).join(', ') }
}

const SOURCES: Readonly<Record<string, string>> = {
  form: 'Entered',
  import: 'Imported',
  document: 'Taken from a document',
  discrepancy: 'Accepted from a discrepancy',
  geocoder: 'Found by the address',
}

/** Where a value comes from: "Imported by Dana Whitfield on Mar 4, 2026, 2:05 PM", and the cell on a second line. */
export function formatSource({ source, by, at, ref }: Property['sources'][string], zone: string): string {
  const user = by ? ` by ${by}` : ''
  const time = Number.isNaN(Date.parse(at)) ? '' : ` on ${formatDateTime(at, zone)}`
  return `${labelIn(SOURCES, source)}${user}${time}${ref ? `\n${ref}` : ''}`
}

/** How a value was changed, for the history, with the file or document if the viewer sees it. */
const CHANGE_SOURCES: Readonly<Record<string, string>> = {
  form: 'in the form',
  list: 'in the list',
  undo: 'undone',
  restore: 'restored a former value',
  import: 'import',
  reconciliation: 'decided in the reconciliation',
  sum_of_parts: 'accepted sum of the parts',
  appraisal: 'accepted appraisal',
  cost_model: 'accepted cost model',
}

export const changeSource = (source: string, ref: string | null): string =>
  [CHANGE_SOURCES[source] ?? source, ref].filter(Boolean).join(': ')
