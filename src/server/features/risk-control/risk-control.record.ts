import { sql, type SqlBool } from 'kysely'
import { isOpen, STORED_STATUSES } from '#contract/recommendations.ts'
import { RATINGS, SURVEY_TYPES } from '#contract/risk-control-fields.ts'
import { riskControlCalls, type RiskControlInput, type RiskControlRow } from '#contract/risk-control.ts'
import { requireOwnAccounts } from '#server/access/require.ts'
import { riskControlRules, visibleRiskControl } from '#server/access/risk-control.ts'
import { equalsAnyId } from '#server/access/scope.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { choiceFilter, dateRangeFilter, idFilter, yesNoFilter } from '#server/engines/datatable/filters.ts'
import type { Context } from '#server/engines/context.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { defineRecord, idIn, type ActivityText, type RecordEvent } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { createRecord } from '#server/engines/record/save-record.ts'
import { trashRecords } from '#server/engines/record/trash-records.ts'
import { invalid } from '#server/kernel/errors.ts'
import { updateOverdueFlags } from '../flags/overdue-flags.commands.ts'
import { requestScores } from '../reconciliation/reconciliation.commands.ts'
import { respond } from './respond.commands.ts'
import { riskControlForm } from './risk-control.form.ts'
import { comparableReport, presentReport, presentReportRow, titleOf } from './risk-control.presenter.ts'
import { presentRecommendations, loadReportRows, loadReports, today, type ReportRecord } from './risk-control.queries.ts'
import { reportColumns, saveContents } from './save-report.ts'

const column = (name: string) => sql.ref(`risk_control.${name}`)
const property = sql`JOIN account_properties p ON p.id = risk_control.property_id`
const OPEN = STORED_STATUSES.filter(isOpen)
const openOnes = (ctx: Context) => sql`${presentRecommendations(ctx)} AND r.status = ANY(${OPEN}::text[])`

const list = defineDatatable<RiskControlRow>({
  model: 'risk_control',
  marksNew: true,
  visible: visibleRiskControl,
  canSearch: 'view_risk_control',
  dependsOn: ['risk_control', 'account_properties'],
  dependsOnDate: true,
  accountColumn: 'account_id',
  defaultSort: { column: 'survey_date', order: 'desc' },
  columns: {
    report_number: { label: 'Report #', primary: true, width: 130, sort: { by: column('report_number') } },
    title: { label: 'Title', width: 220, sort: { by: sql`lower(risk_control.title)` } },
    property: { label: 'Property', width: 200, sort: { by: sql`lower(coalesce(p.property_name, p.address))`, join: property } },
    survey_date: { label: 'Survey', width: 116, sort: { by: column('survey_date') } },
    survey_type: { label: 'Type', width: 110, default: false, sort: { by: column('survey_type'), nullsLast: true } },
    surveyor: { label: 'Surveyor', width: 150, default: false, sort: { by: column('surveyor'), nullsLast: true } },
    overall_rating: {
      label: 'Rating',
      width: 120,
      sort: { by: sql`array_position(${Object.keys(RATINGS)}::text[], overall_rating)`, nullsLast: true },
    },
    status: {
      label: 'Status',
      width: 140,
      sort: { by: sql`s.position`, join: sql`LEFT JOIN statuses s ON s.id = risk_control.status_id`, nullsLast: true },
    },
    recommendations: { label: 'Recommendations', width: 190 },
    next_survey_due: { label: 'Next survey', width: 116, sort: { by: column('next_survey_due') } },
    updated_at: { label: 'Changed', width: 116, default: false, sort: { by: column('updated_at') } },
  },
  filters: {
    account_id: idFilter('Account', 'risk_control.account_id'),
    property_id: idFilter('Property', 'risk_control.property_id'),
    status_id: {
      label: 'Status',
      type: 'multiselect',
      hidden: true,
      where: (_value, values) => equalsAnyId('risk_control.status_id', values),
    },
    survey_type: choiceFilter('Survey type', 'risk_control.survey_type', SURVEY_TYPES),
    overall_rating: choiceFilter('Rating', 'risk_control.overall_rating', RATINGS),
    survey_date: dateRangeFilter('Survey date', 'risk_control.survey_date'),
    open: yesNoFilter('Open recommendations', (ctx) => sql<SqlBool>`EXISTS (SELECT 1 FROM ${openOnes(ctx)})`),
    overdue: yesNoFilter(
      'Overdue recommendations',
      (ctx) => sql<SqlBool>`EXISTS (SELECT 1 FROM ${openOnes(ctx)} AND r.due_on < ${today(ctx)}::date)`,
    ),
  },
  rows: async (ctx, ids) => (await loadReportRows(ctx, idIn('risk_control', ids))).map((report) => presentReportRow(ctx, report)),
})

const VERBS = { deleted: 'deleted', restored: 'restored', destroyed: 'permanently deleted' } as const

function describe(event: RecordEvent<ReportRecord, RiskControlInput>): ActivityText[] {
  if ('records' in event)
    return event.records.map((report) => ({
      id: report.id,
      message: `{user} ${VERBS[event.kind]} risk control report ${report.report_number}`,
    }))
  const { record } = event
  const named = `risk control report ${record.report_number}`
  if (event.kind === 'created') return [{ id: record.id, message: `{user} added ${named} to ${titleOf(record)}` }]
  const { before } = event
  if (before.status_id === record.status_id) return [{ id: record.id, message: `{user} changed ${named} of ${titleOf(record)}` }]
  return [
    {
      id: record.id,
      message: `{user} changed the status of ${named} from ${before.status_name ?? 'none'} to ${record.status_name ?? 'none'}`,
    },
  ]
}

const riskControlRecord = defineRecord(riskControlCalls, {
  table: 'risk_control',
  list,
  opensTrashed: true,
  hidesIds: true,
  rules: riskControlRules,
  load: loadReports,
  present: presentReport,
  search: {
    joins: sql`JOIN account_properties p ON p.id = risk_control.property_id JOIN accounts a ON a.id = risk_control.account_id`,
    name: sql`concat_ws(' · ', risk_control.report_number, risk_control.title)`,
    detail: sql`concat_ws(', ', coalesce(nullif(p.property_name, ''), p.address), p.city, a.name)`,
    account: sql`risk_control.account_id`,
    order: sql`risk_control.survey_date DESC`,
  },
  form: riskControlForm,
  changeScope: (_tx, { account_id }) => ({ inAccount: account_id }),
  beforeSave: reportColumns,
  afterSave: saveContents,
  comparable: comparableReport,
  constraintErrors: {
    risk_control_number: () => invalid({ report_number: ['Another report of this account has this number, perhaps one in the trash.'] }),
  },
  describe,
  created: () => 'The report was added.',
  beforeTrash: async (tx, reports) => {
    const leaving = reports.map(({ id }) => id)
    for (const [account, group] of Map.groupBy(reports, ({ account_id }) => account_id)) {
      const properties = group.map(({ property_id }) => property_id)
      await updateOverdueFlags(tx, account, properties, leaving)
    }
    await requestScores(tx, reports)
  },
  beforeRestore: requestScores,
  beforeDestroy: (tx, reports) => requireOwnAccounts(tx.db, tx.viewer, [...new Set(reports.map(({ account_id }) => account_id))]),
})

export const createReport = (ctx: Context, input: RiskControlInput) => createRecord(ctx, riskControlRecord, input)

export const riskControlRoutes = implement(
  riskControlCalls,
  {
    ...recordHandlers(riskControlRecord, riskControlCalls),
    remove: ({ ctx, params }) => done(trashRecords(ctx, riskControlRecord, [params.id]), 'The report was moved to the trash.'),
    respond: async ({ ctx, params, body }) => ({
      data: await respond(ctx, riskControlRecord, params, body),
      message: 'The response was saved.',
    }),
  },
  requireById(riskControlRecord),
)
