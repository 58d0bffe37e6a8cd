import { sql } from 'kysely'
import { DAY_MS, RECOMMENDATION_DUE_SOON_DAYS, RECOMMENDATION_REMINDER_DAYS } from '#contract/limits.ts'
import { formatDate, isoDateIn, plural } from '#contract/format.ts'
import { STORED_STATUSES, isOpen } from '#contract/recommendations.ts'
import { uuids } from '#server/access/scope.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { NewNotification } from '#server/engines/notification/notify.ts'
import { defineReminderJob } from './define-reminder-job.ts'
import { propertiesToFlag, raiseOverdueFlags } from '../flags/overdue-flags.commands.ts'

const EVERY_MORNING = '40 10 * * *'
/** Written into the statement, because the index of due dates has only open ones. */
const isOpenOne = sql`r.status NOT IN (${sql.join(STORED_STATUSES.filter((status) => !isOpen(status)).map((status) => sql.lit(status)))})`

/** Recommendations of one report with one due date. */
interface DueRecommendations {
  ids: string[]
  report: string
  property_id: string
  account_id: string
  account_name: string
  place: string
  due_on: string
  timezone: string
}

/**
 * Reminds once of each open recommendation that is due within 14 days, and once after it is overdue. The date is stored with the
 * recommendation, so that a run after a day without one makes up for it, and a moved date is reminded of again. Then flags the properties with
 * recommendations that became overdue.
 */
export const notifyRecommendationsDue = defineReminderJob({
  name: 'notify-recommendations-due',
  schedule: EVERY_MORNING,
  findDue: dueRecommendations,
  reminderOf,
  afterwards: async (ctx, signal) => {
    for (const { account_id, properties } of await propertiesToFlag(ctx)) {
      if (signal.aborted) throw new Error('Stopped before all properties were flagged; the next try flags the rest.')
      await raiseOverdueFlags(ctx, account_id, properties)
    }
  },
})

/** Those of insured properties that no later report repeats, at most once for each number and due date. */
async function dueRecommendations({ db, clock }: Context): Promise<DueRecommendations[]> {
  const now = clock.now()
  const { rows } =
    await sql<DueRecommendations>`SELECT array_agg(r.id) AS ids, c.id AS report, c.property_id, c.account_id, a.name AS account_name,
      coalesce(p.property_name, p.address) AS place, r.due_on::text, o.timezone
    FROM risk_recommendations r JOIN risk_control c ON c.id = r.risk_control_id AND c.deleted_at IS NULL
      JOIN account_properties p ON p.id = c.property_id AND p.deleted_at IS NULL AND p.status = 'active'
      JOIN accounts a ON a.id = c.account_id AND a.deleted_at IS NULL JOIN companies o ON o.id = a.company_id
      CROSS JOIN LATERAL (SELECT r.due_on - (${now} AT TIME ZONE o.timezone)::date AS days) until
    WHERE ${isOpenOne}
      AND r.due_on BETWEEN ${now}::date - ${RECOMMENDATION_REMINDER_DAYS + 1}::int AND ${now}::date + ${RECOMMENDATION_DUE_SOON_DAYS + 1}::int
      AND until.days BETWEEN ${-RECOMMENDATION_REMINDER_DAYS}::int AND ${RECOMMENDATION_DUE_SOON_DAYS}::int
      AND NOT EXISTS (SELECT 1 FROM risk_recommendations x JOIN risk_control later ON later.id = x.risk_control_id
        WHERE x.property_id = r.property_id AND x.number = r.number AND later.deleted_at IS NULL
          AND (later.survey_date, later.id) > (c.survey_date, c.id))
      AND NOT EXISTS (SELECT 1 FROM risk_recommendations x WHERE x.property_id = r.property_id AND x.number = r.number
        AND CASE WHEN until.days < 0 THEN x.reminded_overdue ELSE x.reminded_due END = r.due_on)
    GROUP BY c.id, a.name, p.id, r.due_on, o.timezone ORDER BY c.id, r.due_on`.execute(db)
  return rows
}

/** Marks the recommendations in the transaction that notifies the users; what another run has marked meanwhile is left out. */
async function reminderOf(
  tx: WriteContext,
  { ids, report, property_id, account_id, account_name, place, due_on, timezone }: DueRecommendations,
): Promise<NewNotification | undefined> {
  const today = isoDateIn(tx.clock.now(), timezone)
  const days = (Date.parse(due_on) - Date.parse(today)) / DAY_MS
  const column = sql.ref(days < 0 ? 'reminded_overdue' : 'reminded_due')
  const { rows } = await sql<{ number: string; title: string }>`UPDATE risk_recommendations r SET ${column} = due_on
    WHERE id = ANY(${uuids(ids)}) AND due_on = ${due_on}::date AND ${column} IS DISTINCT FROM due_on AND ${isOpenOne}
    RETURNING number, title`.execute(tx.db)
  const [first] = rows
  if (first === undefined) return undefined
  const [what, is] =
    rows.length === 1 ? [`Recommendation ${first.number} (${first.title})`, 'is'] : [plural(rows.length, 'recommendation'), 'are']
  const when = days < 0 ? `overdue since ${formatDate(due_on, 'UTC')}` : days === 0 ? 'due today' : `due in ${plural(days, 'day')}`
  return {
    kind: days < 0 ? 'recommendation_overdue' : 'recommendation_due',
    accountId: account_id,
    subject: { model: 'risk_control', id: report },
    child: { model: 'risk_control', model_id: report, property_id },
    message: `${what} of ${place}, ${account_name}, ${is} ${when}.`,
  }
}
