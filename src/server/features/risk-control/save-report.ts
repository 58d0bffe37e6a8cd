import { sql } from 'kysely'
import { NEXT_SURVEY_MONTHS } from '#contract/limits.ts'
import { OBSERVED, RISK_CONTROL_FIELD_NAMES, observedField, observedName } from '#contract/risk-control-fields.ts'
import type { RiskControlInput } from '#contract/risk-control.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { visibleRiskControl } from '#server/access/risk-control.ts'
import { uuids } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import type { Columns, Patch, Save } from '#server/engines/record/define-record.ts'
import { invalid, notFound } from '#server/kernel/errors.ts'
import type { ReportRecord } from './risk-control.queries.ts'
import { updateOverdueFlags } from '../flags/overdue-flags.commands.ts'
import { requestScores } from '../reconciliation/reconciliation.commands.ts'
import { notifyReport } from './notify-report.ts'
import { nextReportNumber } from './report-numbers.ts'
import { saveRecommendations, type SavedReport } from './save-recommendations.ts'

export type ReportSave = Save<ReportRecord, RiskControlInput>
type Sent = Patch<RiskControlInput>

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The columns to write: the fields that were sent, with the number, the next survey and the status where they are missing. */
export async function reportColumns(tx: WriteContext, { input, before }: ReportSave): Promise<Columns<'risk_control'>> {
  const place = before ?? (await findProperty(tx, input))
  if (before !== undefined) requireSamePlace(before, input)
  const surveyDate = textIn(input['survey_date']) ?? before?.survey_date ?? ''
  const sent = Object.fromEntries(
    RISK_CONTROL_FIELD_NAMES.filter((name) => observedName(name) === undefined && input[name] !== undefined).map((name) => [
      name,
      input[name],
    ]),
  )
  const dates = { surveyDate, report: reportDate(input, before), next: nextSurvey(input, before, surveyDate) }
  requireOrder(dates)
  const isNumbered = before !== undefined && input['report_number'] === undefined
  return {
    ...sent,
    next_survey_due: dates.next,
    ...(isNumbered
      ? {}
      : { report_number: textIn(input['report_number']) ?? (await nextReportNumber(tx, place.account_id, surveyDate.slice(0, 4))) }),
    ...(before !== undefined && input.status_id === undefined ? {} : { status_id: await statusOf(tx, place, input.status_id, before) }),
    ...(before === undefined ? newColumns(tx, place) : {}),
  }
}

interface Place {
  account_id: string
  company_id: string
  carrier_company_id: string | null
  property_id: string
}

const newColumns = ({ viewer }: WriteContext, { account_id, property_id }: Place) => ({
  account_id,
  property_id,
  author_company_id: viewer.kind === 'user' ? viewer.companyId : null,
  created_by: viewerId(viewer),
})

async function findProperty(tx: WriteContext, { property_id: id, account_id: accountId }: Sent): Promise<Place> {
  const property = await tx.db
    .selectFrom('account_properties')
    .innerJoin('accounts', 'accounts.id', 'account_properties.account_id')
    .select(['account_properties.account_id', 'accounts.company_id', 'accounts.carrier_company_id', 'account_properties.id as property_id'])
    .where('account_properties.id', '=', id ?? '')
    .where('account_properties.deleted_at', 'is', null)
    .where(visibleProperties(tx.viewer))
    .executeTakeFirst()
  if (property === undefined) throw notFound('Property')
  if (accountId !== undefined && accountId !== property.account_id)
    throw invalid({ account_id: ['The property does not belong to this account.'] })
  return property
}

function requireSamePlace(before: ReportRecord, { account_id, property_id }: Sent): void {
  if (account_id !== undefined && account_id !== before.account_id) throw invalid({ account_id: ['A report stays in its account.'] })
  if (property_id !== undefined && property_id !== before.property_id) throw invalid({ property_id: ['A report stays at its property.'] })
}

const reportDate = (input: Sent, before: ReportRecord | undefined): string | null =>
  input['report_date'] === undefined ? (before?.report_date ?? null) : textIn(input['report_date'])

/** The date that was sent, or 36 months after the survey; one that was set by this rule moves with the survey. */
function nextSurvey(input: Sent, before: ReportRecord | undefined, surveyDate: string): string {
  const preset = monthsAfter(surveyDate, NEXT_SURVEY_MONTHS)
  if (input['next_survey_due'] !== undefined) return textIn(input['next_survey_due']) ?? preset
  const isOwn = before !== undefined && before.next_survey_due !== monthsAfter(before.survey_date, NEXT_SURVEY_MONTHS)
  return isOwn ? before.next_survey_due : preset
}

/** The same day of a later month, or its last day: February 29 has no counterpart in most years. */
function monthsAfter(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10)
}

function requireOrder({ surveyDate, report, next }: { surveyDate: string; report: string | null; next: string }): void {
  if (report !== null && report < surveyDate) throw invalid({ report_date: ['The report date must not be before the survey date.'] })
  if (next < surveyDate) throw invalid({ next_survey_due: ['The next survey must not be before this one.'] })
}

/** A status of the company of the account; a new report is a draft. */
async function statusOf(tx: WriteContext, place: Place, id: string | undefined, before: ReportRecord | undefined): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`SELECT s.id FROM statuses s
    WHERE s.company_id = ${place.company_id} AND s.model_type = 'risk_control' ORDER BY s.position, s.name FOR KEY SHARE`.execute(tx.db)
  if (id === undefined) return rows[0]?.id ?? null
  const status = rows.find((row) => row.id === id)
  if (status === undefined && before?.status_id !== id) throw invalid({ status_id: ['This status does not belong to the account.'] })
  return id
}

/** A carrier could make a draft of a report and lose it. */
async function requireStillVisible(tx: WriteContext, id: string): Promise<void> {
  const seen = tx.db.selectFrom('risk_control').select('id').where('id', '=', id).where(visibleRiskControl(tx.viewer))
  if ((await seen.executeTakeFirst()) === undefined) throw invalid({ status_id: ['You would not see the report with this status.'] })
}

/** Writes what belongs to a report: facts, documents and recommendations, as far as they were sent. */
export async function saveContents(tx: WriteContext, id: string, { input, before }: ReportSave): Promise<void> {
  if (before !== undefined && input.status_id !== undefined) await requireStillVisible(tx, id)
  const report = await tx.db
    .selectFrom('risk_control')
    .select(['id', 'account_id', 'property_id', 'survey_date', 'report_date'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  for (const name of OBSERVED) {
    const value = input[observedField(name)]
    if (value !== undefined && !(before === undefined && value === null)) await saveFact(tx, report, name, value)
  }
  if (before !== undefined && before.survey_date !== report.survey_date)
    await tx.db.updateTable('document_facts').set({ observed_on: report.survey_date }).where('risk_control_id', '=', id).execute()
  for (const kind of ['files', 'photos'] as const) {
    const files = input[kind]
    if (files !== undefined) await linkFiles(tx, report, kind, files)
  }
  if (input.recommendations !== undefined) await saveRecommendations(tx, report, input.recommendations)
  await updateOverdueFlags(tx, report.account_id, [report.property_id])
  if (before === undefined || EVIDENCE_FIELDS.some((name) => input[name] !== undefined)) await requestScores(tx, [report])
  await notifyReport(tx, id, before)
}

/** What decides whether a report is evidence for the score of its property. */
const EVIDENCE_FIELDS = ['survey_date', 'report_date', 'status_id'] as const

async function saveFact(tx: WriteContext, report: SavedReport, field: string, value: unknown): Promise<void> {
  const stored = tx.db.deleteFrom('document_facts').where('risk_control_id', '=', report.id).where('field', '=', field)
  await stored.execute()
  if (value === null) return
  const { account_id, property_id, survey_date: observed_on } = report
  const source = { risk_control_id: report.id, entered_by: viewerId(tx.viewer) }
  await tx.db
    .insertInto('document_facts')
    .values({ ...source, account_id, property_id, observed_on, field, value: JSON.stringify(value) })
    .execute()
}

/** The documents of an account that the viewer sees, of these ids. Throws `invalid` at the field unless it is all of them. */
export async function requireFiles(tx: WriteContext, accountId: string, field: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const found = await tx.db
    .selectFrom('account_files')
    .select('id')
    .where('id', 'in', [...ids])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where(visibleFiles(tx.viewer))
    .execute()
  if (found.length !== new Set(ids).size) throw invalid({ [field]: ['One of the documents was not found in this account.'] })
}

/** Links of documents that the viewer does not see remain. */
async function linkFiles(
  tx: WriteContext,
  { id, account_id }: SavedReport,
  kind: 'files' | 'photos',
  ids: readonly string[],
): Promise<void> {
  await requireFiles(tx, account_id, kind, ids)
  await sql`DELETE FROM risk_control_files l USING account_files WHERE l.risk_control_id = ${id} AND l.kind = ${kind}
    AND account_files.id = l.file_id AND account_files.deleted_at IS NULL AND ${visibleFiles(tx.viewer)}
    AND NOT l.file_id = ANY(${uuids(ids)})`.execute(tx.db)
  if (ids.length === 0) return
  await tx.db
    .insertInto('risk_control_files')
    .values([...new Set(ids)].map((file_id) => ({ account_id, risk_control_id: id, file_id, kind })))
    .onConflict((on) => on.doNothing())
    .execute()
}
