import { sql } from 'kysely'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { checkRegister } from './check-register.ts'
import { checkRules } from './check-rules.ts'
import { tivOf, type CheckedProperty } from './checked-property.ts'
import { formatNumber } from './finding.ts'
import { dayIn } from './months.ts'
import { NO_DOUBTS, scoreAccount, scoreProperty } from './quality-score.ts'
import { readAccount, readActiveProperties, readEvidence, readSettledPairs } from './read-register.ts'
import { readDoubts, storeFindings, storeScores, type StoredCounts } from './store-findings.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'

/** What may start a run. */
export const RUN_STARTERS = ['import', 'edit', 'document', 'nightly', 'button'] as const
export type RunStarter = (typeof RUN_STARTERS)[number]

/**
 * Reconciles one account in one transaction: killed anywhere it leaves nothing behind, and running it again changes nothing.
 * An account that is gone or in the trash is left as it is.
 */
export async function runReconciliation(ctx: Context, accountId: string, startedBy: RunStarter): Promise<void> {
  const startedAt = ctx.clock.now()
  await transact(ctx, async (tx) => {
    // Two runs of one account would both open the same differences.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('reconcile', 0) # hashtextextended(${accountId}, 0))`.execute(tx.db)
    const account = await readAccount(tx.db, accountId)
    if (account === undefined) return
    const context = { rules: checkRules(account.check_settings), today: dayIn(account.timezone, ctx.clock.now()) }
    const properties = await readActiveProperties(tx.db, accountId)
    const findings = await checkRegister(properties, context, await readSettledPairs(tx.db, accountId, context.today))
    const counts = await storeFindings(tx.db, accountId, findings, context.today)
    const { accountScore, written } = await scoreAll(tx, accountId, properties, context.today)
    await storeRun(tx, {
      account_id: accountId,
      started_by: startedBy,
      started_at: startedAt,
      account_score: accountScore,
      ...pick(counts),
    })
    if (counts.opened > 0) await recordOpened(tx, accountId, counts.opened)
    if (counts.opened + counts.changed + counts.fixed + counts.obsolete + written > 0) await announce(tx, accountId, startedBy)
  })
}

const pick = ({ opened, fixed, obsolete }: StoredCounts) => ({ opened, fixed, obsolete })

/** Scores every property from its own values, what is open about it and what documents it has. */
async function scoreAll(tx: WriteContext, accountId: string, properties: readonly CheckedProperty[], today: string) {
  const doubts = await readDoubts(tx.db, accountId)
  const evidenceOf = await readEvidence(tx.db, accountId)
  const yieldToEventLoop = eventLoopYielder()
  const scores: { id: string; score: number; tiv: number }[] = []
  for (const property of properties) {
    const { score } = scoreProperty(property, { doubts: doubts.get(property.id) ?? NO_DOUBTS, evidence: evidenceOf(property.id), today })
    scores.push({ id: property.id, score, tiv: tivOf(property) })
    await yieldToEventLoop()
  }
  const changed = scores.filter(({ score }, index) => score !== properties[index]?.quality_score)
  return { accountScore: scoreAccount(scores), written: await storeScores(tx.db, accountId, changed) }
}

interface Run {
  account_id: string
  started_by: RunStarter
  started_at: Date
  account_score: number | null
  opened: number
  fixed: number
  obsolete: number
}

async function storeRun(tx: WriteContext, run: Run): Promise<void> {
  const open = sql<number>`(SELECT count(*)::int FROM discrepancies WHERE account_id = ${run.account_id} AND status = 'open')`
  await tx.db
    .insertInto('reconciliation_runs')
    .values({ ...run, open_total: open, finished_at: tx.clock.now() })
    .execute()
}

const recordOpened = (tx: WriteContext, accountId: string, count: number) =>
  recordActivity(tx, {
    model: 'accounts',
    modelId: accountId,
    accountId,
    class: 'reconciled',
    message: count === 1 ? 'Reconciliation found 1 new difference' : `Reconciliation found ${formatNumber(count)} new differences`,
  })

/**
 * The properties' lists show scores and differences, but the register itself has not moved: their scopes are stamped, not its version.
 * Nightly work is nobody's and does not bring an account to the front either.
 */
async function announce(tx: WriteContext, accountId: string, startedBy: RunStarter): Promise<void> {
  const watchers = await tx.db.selectFrom('account_access').select('principal_id').where('account_id', '=', accountId).execute()
  const principals = [accountId, ...watchers.map(({ principal_id }) => principal_id)]
  emit(tx, { model: 'account_properties', id: null, for: principals })
  emit(tx, { model: 'discrepancies', id: null, ...(startedBy === 'nightly' ? { for: principals } : { inAccount: accountId }) })
}
