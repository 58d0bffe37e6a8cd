import { sql } from 'kysely'
import { RECOMMENDATION_STATUSES, REPORTED_STATUSES, type RecommendationStatus, type ResponseInput } from '#contract/recommendations.ts'
import { viewerId, viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { StoredModel } from '#server/engines/record/define-record.ts'
import { findRecord } from '#server/engines/record/save-record.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import type { RiskControlInput } from '#contract/risk-control.ts'
import type { riskControlRules } from '#server/access/risk-control.ts'
import { updateOverdueFlags } from '../flags/overdue-flags.commands.ts'
import { presentRecommendation } from './risk-control.presenter.ts'
import { today, type ReportRecord, type StoredRecommendation } from './risk-control.queries.ts'
import { requireFiles } from './save-report.ts'

type Reports = StoredModel<ReportRecord, RiskControlInput, ReturnType<typeof riskControlRules>>
interface Place {
  id: string
  recommendation_id: string
}

/** Adds a response to a recommendation, and changes its status if it has one. Throws `conflict` if the status is not the one that was seen. */
export function respond(ctx: Context, model: Reports, { id, recommendation_id }: Place, input: ResponseInput) {
  return transact(ctx, async (tx) => {
    // Two users who answer the same recommendation wait for each other.
    await sql`SELECT id FROM risk_recommendations WHERE id = ${recommendation_id} AND risk_control_id = ${id} FOR UPDATE`.execute(tx.db)
    const report = await findRecord(tx, model, id)
    const rules = model.rules(tx.viewer, report)
    const one = find(report, recommendation_id)
    if (!rules.respond) throw forbidden()
    requireAnswerable(one, input, rules.update)
    await requireFiles(tx, report.account_id, 'files', input.files)
    await save(tx, one, input)
    await updateOverdueFlags(tx, report.account_id, [report.property_id])
    const message =
      input.status === undefined || input.status === one.status
        ? `{user} answered recommendation ${one.number}`
        : `Recommendation ${one.number} is now ${RECOMMENDATION_STATUSES[input.status].toLowerCase()}`
    const kind = input.status === undefined ? 'updated' : 'status'
    await recordActivity(tx, {
      model: 'risk_control',
      modelId: id,
      accountId: report.account_id,
      class: kind,
      message,
      fileIds: input.files,
    })
    emit(tx, { model: 'risk_control', id: null, inAccount: report.account_id })
    return presentRecommendation(tx, find(await findRecord(tx, model, id), recommendation_id), today(tx))
  })
}

function find({ recommendations }: ReportRecord, id: string): StoredRecommendation {
  const one = recommendations.find((candidate) => candidate.id === id)
  if (one === undefined) throw notFound('Recommendation')
  return one
}

/** Who cannot edit the report reports progress only; what the surveyor decided is changed by users who can edit it. */
function requireAnswerable(one: StoredRecommendation, { status, from, due_on }: ResponseInput, isEditor: boolean): void {
  if (one.repeated_in !== null)
    throw conflict(`Recommendation ${one.number} is repeated in ${one.repeated_in.report_number}. Answer it there.`)
  if (from !== undefined && status !== undefined && from !== one.status) {
    const last = one.responses.at(-1)?.author_name ?? 'Another user'
    throw conflict(
      `${last} changed recommendation ${one.number} to ${RECOMMENDATION_STATUSES[one.status].toLowerCase()}. Check it and save again.`,
    )
  }
  if ((due_on ?? null) !== null && status !== 'deferred') throw invalid({ due_on: ['A new due date needs the status Deferred.'] })
  if (due_on !== undefined && due_on !== null && due_on < one.issued_on)
    throw invalid({ due_on: ['The due date must not be before the date of issue.'] })
  if (isEditor || status === undefined || status === one.status) return
  const isDecided = (name: RecommendationStatus) => !REPORTED_STATUSES.includes(name) && name !== 'deferred'
  if (!REPORTED_STATUSES.includes(status) || isDecided(one.status))
    throw invalid({ status: ['Only users who edit risk control reports can set or change this status.'] })
}

async function save(tx: WriteContext, one: StoredRecommendation, { text, status, due_on: due, files }: ResponseInput): Promise<void> {
  const author = { author_id: viewerId(tx.viewer), author_name: viewerName(tx.viewer, tx.config.product.name) }
  await tx.db
    .insertInto('risk_recommendation_responses')
    .values({ recommendation_id: one.id, ...author, text, status: status ?? null, due_on: due ?? null, file_ids: files })
    .execute()
  if (status === undefined) return
  const day = today(tx)
  const isDone = status === 'completed' || status === 'verified'
  await tx.db
    .updateTable('risk_recommendations')
    .set({
      status,
      ...(due === undefined || due === null ? {} : { due_on: due }),
      completed_on: isDone ? (one.completed_on ?? day) : null,
      verified_on: status === 'verified' ? (one.verified_on ?? day) : null,
      verified_by: status === 'verified' ? (one.verified_by ?? author.author_name) : null,
      status_before_divestment: null,
      updated_at: tx.clock.now(),
    })
    .where('id', '=', one.id)
    .execute()
}
