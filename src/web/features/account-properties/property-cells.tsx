import type { PropertyRow } from '#contract/account-properties.ts'
import { PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import { cellOf, type CellRenderers } from '#web/engines/datatable/cells.tsx'
import { EditableCell } from './editable-cell.tsx'
import { FindingMark } from './finding-mark.tsx'
import { QualityBar } from './quality-bar.tsx'

/** Fields without a column of their own show their findings at the column that tells the same. */
const SHOWN_AT: Partial<Record<PropertyFieldName, string>> = {
  stated_tiv: 'tiv',
  latitude: 'address',
  longitude: 'address',
  geocode_level: 'address',
  address_2: 'address',
  construction_original: 'construction_class',
  occupancy_original: 'property_type',
  percent_sprinklered: 'sprinklered',
  other_value: 'tiv',
  stock_value: 'contents_value',
  machinery_value: 'contents_value',
  bi_months: 'bi_value',
}
const shownAt = (field: string): string => Object.entries(SHOWN_AT).find(([name]) => name === field)?.[1] ?? field

/** The findings that belong to a column of the table. */
export const findingsAt = (row: PropertyRow, column: string): PropertyRow['findings'] =>
  row.findings.filter((finding) => finding.field !== null && shownAt(finding.field) === column)

const EDITABLE = PROPERTY_FIELD_NAMES.filter((name) => name !== 'address')

function withFindings(column: string) {
  return (row: PropertyRow) => {
    const { text } = cellOf(row, column)
    return (
      <>
        <FindingMark findings={findingsAt(row, column)} /> {text || '–'}
      </>
    )
  }
}

/** How the cells of the properties table are drawn; values may be changed in place by those who may update properties. */
export function propertyCells(mayUpdate: boolean): CellRenderers<PropertyRow> {
  const editable = EDITABLE.map((name) => [
    name,
    (row: PropertyRow) => (
      <EditableCell row={row} name={name} mayEdit={mayUpdate && row.deleted_at === null} findings={findingsAt(row, name)} />
    ),
  ])
  return {
    ...Object.fromEntries(editable),
    tiv: withFindings('tiv'),
    quality_score: (row) => <QualityBar score={typeof row.quality_score.value === 'number' ? row.quality_score.value : null} />,
    discrepancies: (row) =>
      row.findings.length === 0 ? (
        <span aria-label="No open findings">0</span>
      ) : (
        <FindingMark findings={row.findings} count={row.discrepancies.text || String(row.findings.length)} />
      ),
  }
}
