import { isPropertyField, type PropertyRow } from '#contract/account-properties.ts'
import { SEVERITY_LABELS } from '#contract/checks.ts'
import { formatMoney } from '#contract/format.ts'
import { PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import { useCan } from '#web/data/session.ts'
import type { CellRenderers } from '#web/engines/datatable/cells.tsx'
import { FlagCount } from '#web/engines/flags/flag-count.tsx'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import { EditableCell } from './editable-cell.tsx'
import classes from './property-cells.module.css'
import { FindingMark, QualityGrade, tintOf, type Findings } from './property-marks.tsx'

/** Fields without a column show their discrepancies in a related column. */
const RELATED_COLUMN: Partial<Record<PropertyFieldName, string>> = {
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
const columnOf = (field: string): string => (isPropertyField(field) ? RELATED_COLUMN[field] : undefined) ?? field

const findingsIn = (row: PropertyRow, column: string): Findings =>
  (row.findings ?? []).filter((finding) => finding.field !== null && columnOf(finding.field) === column)

/** Empty, and not "not checked", for viewers who cannot see discrepancies. */
const Quality = ({ row: { findings, quality_score: score } }: { row: PropertyRow }) =>
  findings === null ? null : <QualityGrade score={typeof score.value === 'number' ? score.value : null} />

/** The address, tinted if it has a discrepancy. It is part of a link, so the messages are shown at the mark of the property. */
function Address({ row }: { row: PropertyRow }) {
  const severity = tintOf(findingsIn(row, 'address'))
  if (severity === undefined) return <span>{row.address.text}</span>
  return (
    <span className={classes['tinted']} data-severity={severity}>
      <SeverityShape severity={severity} />
      <span className="visually-hidden">{SEVERITY_LABELS[severity]}: </span>
      {row.address.text || 'Set'}
    </span>
  )
}

/** The number of its own discrepancies; without any, "+2" for those of the whole schedule. */
function Discrepancies({
  row: { id, findings, discrepancies, quality_score: score, schedule_findings: ofSchedule },
}: {
  row: PropertyRow
}) {
  if (findings === null) return null
  const own = findings.filter(({ widespread }) => !widespread)
  if (own.length > 0) return <FindingMark findings={own} count={discrepancies.text} ofSchedule={ofSchedule} propertyId={id} />
  if (findings.length > 0) return <FindingMark findings={findings} count="" ofSchedule={ofSchedule} propertyId={id} />
  if (score.value === null) return <span aria-label="Not checked">–</span>
  if (!ofSchedule) return <span aria-label="No discrepancies">0</span>
  const only = `Only discrepancies of the whole schedule: ${ofSchedule}`
  return (
    <span className={classes['ofSchedule']} title={only} aria-label={only}>
      +{ofSchedule}
    </span>
  )
}

/** What the tints mean, for screen readers. */
export function TintLegend() {
  const can = useCan()
  if (!can('view_account_properties') || !can('view_account_reconciliation_metric')) return null
  return (
    <p className="visually-hidden">
      Cells with a critical discrepancy are red, cells with a warning amber. Each names its discrepancies. Warnings of the whole schedule
      are not shown in cells. A plus sign is before the number of discrepancies of the whole schedule.
    </p>
  )
}

/** The cells of the properties table. With `mayUpdate` values can be edited in place. */
export function propertyCells(mayUpdate: boolean): CellRenderers<PropertyRow> {
  const editable = PROPERTY_FIELD_NAMES.filter((name) => name !== 'address').map((name) => [
    name,
    (row: PropertyRow) => (
      <EditableCell row={row} name={name} mayEdit={mayUpdate && row.deleted_at === null} findings={findingsIn(row, name)} />
    ),
  ])
  return {
    ...Object.fromEntries(editable),
    address: (row) => (
      <span className={classes['flaggable']}>
        <span className={classes['place']} title={[row.property_name.text, row.address.text].filter(Boolean).join('\n')}>
          {row.property_name.text !== '' && <strong>{row.property_name.text}</strong>} <Address row={row} />
        </span>
        <FlagCount count={row.flags} />
      </span>
    ),
    tiv: (row) => (
      <span className={classes['cell']} data-severity={tintOf(findingsIn(row, 'tiv'))}>
        <FindingMark findings={findingsIn(row, 'tiv')} propertyId={row.id} />
        <strong className={classes['text']} title={row.tiv.text}>
          {row.tiv.text || '–'}
        </strong>
      </span>
    ),
    quality_score: (row) => <Quality row={row} />,
    discrepancies: (row) => <Discrepancies row={row} />,
  }
}

/** A row on a phone: name and TIV, below them number, place, discrepancies and score. */
export const phoneCell = (row: PropertyRow) => (
  <span className={classes['phone']}>
    <strong>{row.property_name.text || row.address.text}</strong>
    <strong>{typeof row.tiv.value === 'number' ? formatMoney(row.tiv.value, row.currency) : '–'}</strong>
    <span>
      {row.location_number.text} · {[row.city.text, row.state.text].filter(Boolean).join(', ') || row.address.text}
    </span>
    <span>
      <FlagCount count={row.flags} />
      <Discrepancies row={row} />
      <Quality row={row} />
    </span>
  </span>
)
