import { PROPERTY_FIELDS } from '#contract/property-fields.ts'
import { formatPropertyValue, fullAddress, propertyTitle, type PropertyValue, type Titled } from '#contract/property-format.ts'
import { dueState, type RecommendationInput } from '#contract/recommendations.ts'
import {
  OBSERVED,
  RATINGS,
  RISK_CONTROL_FIELD_NAMES,
  SURVEY_TYPES,
  observedField,
  type ObservedName,
} from '#contract/risk-control-fields.ts'
import type { RiskControlRow } from '#contract/risk-control.ts'
import { riskControlRules } from '#server/access/risk-control.ts'
import { can, timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, labelCell, plainDateCell, textCell } from '#server/engines/datatable/cells.ts'
import type { Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { countOpen, today, type ReportRecord, type ReportRow, type StoredRecommendation } from './risk-control.queries.ts'

/** Name of the property in the report: its name, or else its number or street. */
export const titleOf = (report: Titled & { property_name: string | null }): string => report.property_name ?? propertyTitle(report)

/** The values of the fields of RISK_CONTROL_FIELDS. */
export function valuesOf(report: ReportRecord): Record<string, PropertyValue> {
  const stored = new Map<string, unknown>(Object.entries(report))
  const value = (name: string) => stored.get(name)
  return Object.fromEntries(
    RISK_CONTROL_FIELD_NAMES.map((name) => {
      const found = value(name)
      return [name, typeof found === 'string' || typeof found === 'number' ? found : null]
    }),
  )
}

/** A recommendation as the form of the report sends it, with its keys in the order of the schema. */
export const inputOf = (one: StoredRecommendation): RecommendationInput & Record<string, unknown> => ({
  id: one.id,
  number: one.number,
  title: one.title,
  description: one.description,
  category: one.category as RecommendationInput['category'], // the schema has checked it
  priority: one.priority,
  type: one.type as RecommendationInput['type'], // as above
  issued_on: one.issued_on,
  due_on: one.due_on,
  responsible: one.responsible,
  cost_estimate: one.cost_estimate,
  loss_before: one.loss_before,
  loss_after: one.loss_after,
})

const idsOf = (files: readonly { id: string }[]) => files.map(({ id }) => id)

/** The report as a save would send it. */
export const comparableReport = (report: ReportRecord) => ({
  ...valuesOf(report),
  property_id: report.property_id,
  account_id: report.account_id,
  status_id: report.status_id,
  files: idsOf(report.files),
  photos: idsOf(report.photos),
  recommendations: report.recommendations.map(inputOf),
})

const isSameValue = (name: ObservedName, left: PropertyValue, right: PropertyValue) =>
  'choices' in PROPERTY_FIELDS[name] ? left === right : Number(left) === Number(right)

/** What the survey observed next to the register of today, for viewers who see the register. */
function observedOf({ viewer }: Context, report: ReportRecord) {
  const seesRegister = can(viewer, 'view_account_properties')
  return OBSERVED.flatMap((name) => {
    const value = report[observedField(name)]
    if (value === null) return []
    const present = seesRegister ? report[`register_${name}`] : null
    return {
      field: name,
      label: PROPERTY_FIELDS[name].label,
      report: formatPropertyValue(name, value),
      register: seesRegister ? formatPropertyValue(name, present) : null,
      differs: seesRegister && !isUnstated(name, present) && !isSameValue(name, value, present),
    }
  })
}

const isUnstated = (name: ObservedName, value: PropertyValue) =>
  value === null || ((name === 'property_type' || name === 'sprinklered') && value === 'unknown')

/** @param day today in the time zone of the viewer */
export function presentRecommendation(ctx: Context, one: StoredRecommendation, day: string) {
  const status = one.repeated_in === null ? one.status : ('repeated' as const)
  return {
    ...one,
    status,
    due: dueState(status, one.due_on, day),
    responses: one.responses.map(({ author_name: author, created_at: at, ...response }) => ({
      ...response,
      at: new Date(at).toISOString(),
      author: author ?? ctx.config.product.name,
    })),
  }
}

export function presentReport(ctx: Context, report: ReportRecord) {
  const day = today(ctx)
  return {
    account_id: report.account_id,
    account_name: report.account_name,
    property_id: report.property_id,
    property: { title: titleOf(report), address: fullAddress(report), status: report.property_status },
    currency: report.currency,
    values: valuesOf(report),
    status:
      report.status_id === null
        ? null
        : { id: report.status_id, name: report.status_name ?? '', color: report.status_color ?? '', draft: report.draft },
    observed: observedOf(ctx, report),
    recommendations: report.recommendations.map((one) => presentRecommendation(ctx, one, day)),
    files: report.files,
    photos: report.photos,
    created_by: report.creator_name,
    accessible_features: riskControlRules(ctx.viewer, report),
  }
}

/** "3 open, 1 overdue" */
function openText({ open, overdue, due }: ReturnType<typeof countOpen>): string {
  if (open === 0) return 'None open'
  return [
    `${String(open)} open`,
    ...(overdue > 0 ? [`${String(overdue)} overdue`] : []),
    ...(due > 0 ? [`${String(due)} due soon`] : []),
  ].join(', ')
}

export function presentReportRow(ctx: Context, report: ReportRow): Unmarked<RiskControlRow> {
  const counts = countOpen(ctx, report.recommendations)
  const total = report.recommendations.length
  return {
    id: report.id,
    deleted_at: report.deleted_at?.toISOString() ?? null,
    account_id: report.account_id,
    property_id: report.property_id,
    accessible_features: riskControlRules(ctx.viewer, report),
    report_number: textCell(report.report_number),
    title: textCell(report.title),
    property: textCell(titleOf(report)),
    survey_date: plainDateCell(report.survey_date),
    survey_type: labelCell(report.survey_type, SURVEY_TYPES),
    surveyor: textCell(report.surveyor),
    overall_rating: labelCell(report.overall_rating, RATINGS),
    status: {
      value: report.status_name,
      text: report.status_name ?? '',
      ...(report.status_color === null ? {} : { class: report.status_color }),
    },
    recommendations: { value: counts.open, text: total === 0 ? 'No recommendations' : openText(counts) },
    next_survey_due: plainDateCell(report.next_survey_due),
    updated_at: dateCell(report.updated_at, timezoneOf(ctx.viewer)),
    ...counts,
  }
}
