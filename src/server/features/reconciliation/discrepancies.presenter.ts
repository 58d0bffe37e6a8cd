import { z } from 'zod'
import { isPropertyField } from '#contract/account-properties.ts'
import {
  CHECK_GROUP_NAMES,
  DISCREPANCY_STATUSES,
  DISCREPANCY_STATUS_NAMES,
  SEVERITIES,
  SEVERITY_LABELS,
  checkName,
} from '#contract/checks.ts'
import type { Cell } from '#contract/datatable.ts'
import type { Discrepancy, DiscrepancyRow } from '#contract/discrepancies.ts'
import { propertyTitle } from '#contract/property-format.ts'
import { propertyField } from '#contract/property-fields.ts'
import { timezoneOf, type Viewer } from '#server/access/viewer.ts'
import { formatExact, formatExactMoney } from '#contract/format.ts'
import { dateCell, decimalCell, labelCell, textCell } from '#server/engines/datatable/cells.ts'
import type { Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { Side, labelOfField } from './check.ts'
import type { DiscrepancyRecord } from './discrepancies.queries.ts'

/** Text columns whose values are limited by check constraints. */
const Stored = z.object({
  severity: z.enum(SEVERITIES),
  status: z.enum(DISCREPANCY_STATUS_NAMES),
  group_name: z.enum(CHECK_GROUP_NAMES),
})
export const sideOf = (stored: unknown): Side | null => (stored === null ? null : Side.parse(stored))

export const titleOf = ({ location_number, building_number, address, city }: DiscrepancyRecord): string =>
  address === null ? '' : propertyTitle({ location_number, building_number: building_number ?? '1', address, city: city ?? '' })

/** Labels for codes, amounts in the currency of the property. */
export function formatValue(field: string | null, value: string | number | null, currency: string | null): string {
  if (value === null) return ''
  const kind = field !== null && isPropertyField(field) ? propertyField(field) : undefined
  if (kind?.kind === 'choice') return kind.choices[String(value)] ?? String(value)
  if (typeof value === 'string' || kind?.kind === 'year') return String(value)
  return kind === undefined || kind.kind === 'money' ? formatExactMoney(value, currency ?? 'USD') : formatExact(value)
}

const sideCell = ({ field, currency }: DiscrepancyRecord, side: Side | null): Cell => ({
  value: side?.value ?? null,
  text: side === null ? '' : formatValue(field, side.value, currency),
})

export function presentDiscrepancyRow(viewer: Viewer, record: DiscrepancyRecord): Unmarked<DiscrepancyRow> {
  const { id, account_id, property_id, check_id, field } = record
  const timezone = timezoneOf(viewer)
  return {
    id,
    deleted_at: null,
    account_id,
    property_id,
    check_id,
    field_name: field,
    check: { value: check_id, text: checkName(check_id) },
    property: { value: property_id, text: titleOf(record) },
    field: { value: field, text: labelOfField(field) },
    message: textCell(record.message),
    left_value: sideCell(record, sideOf(record.left_value)),
    right_value: sideCell(record, sideOf(record.right_value)),
    delta: decimalCell(record.delta),
    severity: { ...labelCell(record.severity, SEVERITY_LABELS), class: record.severity },
    status: { ...labelCell(record.status, DISCREPANCY_STATUSES), class: record.status },
    note: textCell(record.note),
    created_at: dateCell(record.created_at, timezone),
    decided_at: dateCell(record.decided_at, timezone),
  }
}

export function presentDiscrepancy(record: DiscrepancyRecord): Discrepancy {
  const { group_name: group, ...stored } = Stored.parse(record)
  return {
    ...record,
    ...stored,
    group,
    check_name: checkName(record.check_id),
    left: sideOf(record.left_value),
    right: sideOf(record.right_value),
    decided_by: record.decided_by_name,
    decided_at: record.decided_at?.toISOString() ?? null,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
  }
}
