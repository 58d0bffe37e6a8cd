import { sql } from 'kysely'
import { isoDateIn, plural } from '#contract/format.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { checkContext, tivOf, type CheckedProperty } from './check.ts'
import { checkRegister } from './check-register.ts'
import { scoreAccount, scoreProperty } from './quality-score.ts'
import { readAccount, readActiveProperties, readDismissedPairs, readScoreFacts } from './read-register.ts'
import { storeFindings, storeScores } from './store-findings.ts'

/** What can start a run. */
export const RUN_STARTERS = ['import', 'edit', 'document', 'nightly', 'button'] as const
export type RunStarter = (typeof RUN_STARTERS)[number]

/**
 * Reconciles one account in one transaction, so that a killed run leaves nothing behind and a repeated one changes nothing. Does
 * nothing if the account was deleted or is in the trash.
 */
export async function runReconciliation(ctx: Context, accountId: string, startedBy: RunStarter): Promise<void> {
  const startedAt = ctx.clock.now()
  await transact(ctx, async (tx) => {
    // Two parallel runs of one account would both open the same discrepancies.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('reconcile', 0) # hashtextextended(${accountId}, 0))`.execute(tx.db)
    const account = await readAccount(tx.db, accountId)
    if (account === undefined) return
    const context = checkContext(account.check_settings, isoDateIn(startedAt, account.timezone))
    const properties = await readActiveProperties(tx.db, accountId)
    const findings = await checkRegister(properties, context, await readDismissedPairs(tx.db, accountId, context.today))
    const { opened, changed, fixed, obsolete } = await storeFindings(tx.db, accountId, findings, context.today)
    const { accountScore, written } = await scoreAll(tx, accountId, properties, context.today)
    await tx.db
      .insertInto('reconciliation_runs')
      .values({
        account_id: accountId,
        started_by: startedBy,
        started_at: startedAt,
        account_score: accountScore,
        opened,
        fixed,
        obsolete,
        open_total: sql<number>`(SELECT count(*)::int FROM discrepancies WHERE account_id = ${accountId} AND status = 'open')`,
        finished_at: tx.clock.now(),
      })
      .execute()
    if (opened > 0) {
      const message = `Reconciliation found ${plural(opened, 'new difference')}`
      await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'reconciled', message })
    }
    if (opened + changed + fixed + obsolete + written > 0) await publishRun(tx, accountId, startedBy)
  })
}

async function scoreAll(tx: WriteContext, accountId: string, properties: readonly CheckedProperty[], today: string) {
  const facts = await readScoreFacts(tx.db, accountId)
  const yieldToEventLoop = eventLoopYielder()
  const scored: { id: string; score: number; tiv: number; isNew: boolean }[] = []
  for (const property of properties) {
    const { id, quality_score } = property
    const known = facts.get(id)
    if (known === undefined) continue // permanently deleted since the register was read
    const { score } = scoreProperty(property, known, today)
    scored.push({ id, score, tiv: tivOf(property), isNew: score !== quality_score })
    await yieldToEventLoop()
  }
  const written = await storeScores(
    tx.db,
    accountId,
    scored.filter(({ isNew }) => isNew),
  )
  return { accountScore: scoreAccount(scored), written }
}

/**
 * Raises the versions of the lists that show scores and discrepancies, but not the version of the register, which is unchanged. A
 * nightly run does not move the account to the top of recently active ones either.
 */
async function publishRun(tx: WriteContext, accountId: string, startedBy: RunStarter): Promise<void> {
  const viewers = await tx.db.selectFrom('account_access').select('principal_id').where('account_id', '=', accountId).execute()
  const scopes = [accountId, ...viewers.map(({ principal_id }) => principal_id)]
  emit(tx, { model: 'account_properties', id: null, for: scopes })
  emit(tx, { model: 'discrepancies', id: null, ...(startedBy === 'nightly' ? { for: scopes } : { inAccount: accountId }) })
}
