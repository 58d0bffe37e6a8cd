import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { isoDateIn } from '#contract/format.ts'
import type { PropertyValue } from '#contract/property-format.ts'
import { dueState, isOpen, type Priority, type RecommendationStatus } from '#contract/recommendations.ts'
import { OBSERVED, observedField } from '#contract/risk-control-fields.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { isDraftStatus, visibleRiskControl } from '#server/access/risk-control.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'

export interface Named {
  id: string
  name: string
}
export interface Report {
  id: string
  report_number: string
}

interface StoredResponse {
  id: string
  author_name: string | null
  status: string | null
  due_on: string | null
  text: string
  created_at: string
  files: Named[]
}

export interface StoredRecommendation {
  id: string
  number: string
  title: string
  description: string | null
  category: string | null
  priority: Priority
  type: string | null
  status: RecommendationStatus
  issued_on: string
  due_on: string | null
  responsible: string | null
  cost_estimate: number | null
  loss_before: number | null
  loss_after: number | null
  completed_on: string | null
  verified_on: string | null
  verified_by: string | null
  first_report: Report | null
  repeated_in: Report | null
  responses: StoredResponse[]
}

export const today = ({ clock, viewer }: Context): string => isoDateIn(clock.now(), timezoneOf(viewer))

/**
 * Another report with the recommendation `r` of the report `risk_control`, of those that the viewer sees. `OFFSET 0` has the database find
 * the few recommendations with this number first; without statistics it starts with all properties.
 */
const otherReport = ({ viewer }: Context, when: 'earlier' | 'later') => sql`FROM (SELECT same.risk_control_id FROM risk_recommendations same
    WHERE same.property_id = r.property_id AND same.number = r.number AND same.risk_control_id <> risk_control.id OFFSET 0) x
  CROSS JOIN LATERAL (SELECT report.* FROM risk_control report WHERE report.id = x.risk_control_id OFFSET 0) o
  WHERE o.deleted_at IS NULL AND (SELECT ${visibleRiskControl(viewer, 'o')})
    AND (o.survey_date, o.id) ${when === 'earlier' ? sql`<` : sql`>`} (risk_control.survey_date, risk_control.id)`
const reportJson = sql`jsonb_build_object('id', o.id, 'report_number', o.report_number)`

/** Names of documents among these ids that the viewer sees. */
const namedFiles = (
  { viewer }: Context,
  among: RawBuilder<unknown>,
) => sql`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', account_files.id,
    'name', coalesce(account_files.vanity_name, account_files.original_file_name), 'category', account_files.category)
    ORDER BY lower(coalesce(account_files.vanity_name, account_files.original_file_name)), account_files.id), '[]')
  FROM account_files WHERE account_files.id IN ${among} AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)})`

const linkedFiles = (ctx: Context, kind: 'files' | 'photos') =>
  sql<(Named & { category: string })[]>`${namedFiles(
    ctx,
    sql`(SELECT l.file_id FROM risk_control_files l WHERE l.risk_control_id = risk_control.id AND l.kind = ${kind})`,
  )}`

const recommendations = (ctx: Context) => sql<StoredRecommendation[]>`(SELECT coalesce(jsonb_agg(to_jsonb(r) || jsonb_build_object(
    'first_report', (SELECT ${reportJson} ${otherReport(ctx, 'earlier')} ORDER BY o.survey_date, o.id LIMIT 1),
    'repeated_in', (SELECT ${reportJson} ${otherReport(ctx, 'later')} ORDER BY o.survey_date, o.id LIMIT 1),
    'responses', (SELECT coalesce(jsonb_agg(to_jsonb(a) || jsonb_build_object('files', ${namedFiles(ctx, sql`(SELECT unnest(a.file_ids))`)})
        ORDER BY a.created_at, a.id), '[]')
      FROM risk_recommendation_responses a WHERE a.recommendation_id = r.id)) ORDER BY r.position, r.number), '[]')
  FROM risk_recommendations r WHERE r.risk_control_id = risk_control.id)`

/** The recommendations of a report that no later one repeats: only these can be open. */
export const presentRecommendations = (ctx: Context) => sql`risk_recommendations r
  WHERE r.risk_control_id = risk_control.id AND NOT EXISTS (SELECT 1 ${otherReport(ctx, 'later')})`

const states = (ctx: Context) => sql<Pick<StoredRecommendation, 'status' | 'due_on'>[]>`(SELECT coalesce(jsonb_agg(
    jsonb_build_object('status', CASE WHEN EXISTS (SELECT 1 ${otherReport(ctx, 'later')}) THEN 'repeated' ELSE r.status END, 'due_on', r.due_on)), '[]')
  FROM risk_recommendations r WHERE r.risk_control_id = risk_control.id)`

const base = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('risk_control')
    .innerJoin('accounts', 'accounts.id', 'risk_control.account_id')
    .innerJoin('account_properties as p', 'p.id', 'risk_control.property_id')
    .leftJoin('statuses as s', 's.id', 'risk_control.status_id')
    .select(['p.location_number', 'p.building_number', 'p.property_name', 'p.address', 'p.city', 'p.currency'])
    .select(['s.name as status_name', 's.color as status_color', isDraftStatus.as('draft')])
    .where(where)

/** The fields that the survey observed are read from the document facts. */
export const loadReports = (ctx: Context, where: Expression<SqlBool>) =>
  base(ctx, where)
    .selectAll('risk_control')
    .select(['accounts.name as account_name', 'accounts.company_id', 'accounts.carrier_company_id', 'p.status as property_status'])
    .select(['p.address_2', 'p.state', 'p.postal_code', 'p.country'])
    .select(OBSERVED.map((name) => sql.ref<string | number | null>(`p.${name}`).as(`register_${name}` as const)))
    .select(
      OBSERVED.map((name) =>
        sql<PropertyValue>`(SELECT f.value FROM document_facts f WHERE f.risk_control_id = risk_control.id AND f.field = ${name})`.as(
          observedField(name),
        ),
      ),
    )
    .select((eb) => eb.selectFrom('users').select('full_name').whereRef('users.id', '=', 'risk_control.created_by').as('creator_name'))
    .select([recommendations(ctx).as('recommendations'), linkedFiles(ctx, 'files').as('files'), linkedFiles(ctx, 'photos').as('photos')])
    .orderBy('risk_control.id')
    .execute()
export type ReportRecord = Awaited<ReturnType<typeof loadReports>>[number]

/** Reads only what a row shows. */
export const loadReportRows = (ctx: Context, where: Expression<SqlBool>) =>
  base(ctx, where)
    .select(['risk_control.id', 'risk_control.account_id', 'risk_control.property_id', 'risk_control.report_number', 'risk_control.title'])
    .select(['risk_control.survey_date', 'risk_control.survey_type', 'risk_control.surveyor', 'risk_control.overall_rating'])
    .select(['risk_control.next_survey_due', 'risk_control.updated_at', 'risk_control.deleted_at'])
    .select(states(ctx).as('recommendations'))
    .execute()
export type ReportRow = Awaited<ReturnType<typeof loadReportRows>>[number]

/** How many recommendations are open, and how many of these are past their due date or due soon. */
export function countOpen(ctx: Context, list: readonly Pick<StoredRecommendation, 'status' | 'due_on'>[]) {
  const day = today(ctx)
  const due = list.map(({ status, due_on }) => dueState(status, due_on, day))
  return {
    open: list.filter(({ status }) => isOpen(status)).length,
    overdue: due.filter((state) => state === 'overdue').length,
    due: due.filter((state) => state === 'due').length,
  }
}
