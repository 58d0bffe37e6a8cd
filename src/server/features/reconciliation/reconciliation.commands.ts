import { sql } from 'kysely'
import { z } from 'zod'
import { isoDateIn, plural } from '#contract/format.ts'
import { RECONCILE_DEBOUNCE_MS } from '#contract/limits.ts'
import { Id } from '#contract/route.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { defineJob, enqueue } from '#server/engines/jobs/define-job.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'
import { checkRegister } from './check-register.ts'
import { lacksValue } from './check-missing.ts'
import { checkContext, tivOf, type CheckedProperty } from './check.ts'
import { scoreAccount, scoreProperty, type ScoredProperty } from './quality-score.ts'
import { readAccount, readActiveProperties, readDismissedPairs, readScoreFacts } from './read-register.ts'
import { storeFindings, storeScores } from './store-findings.ts'

/** What can start a run. */
const RUN_STARTERS = ['import', 'edit', 'document', 'nightly', 'button'] as const
type RunStarter = (typeof RUN_STARTERS)[number]

export const reconcileJob = defineJob({
  name: 'reconcile',
  input: z.object({ accountId: Id, startedBy: z.enum(RUN_STARTERS) }),
  run: (ctx, { accountId, startedBy }) => runReconciliation(ctx, accountId, startedBy),
})

/** Queues a run in the transaction of a change. Requests within 5 seconds become one run per account. */
export const requestReconciliation = (tx: WriteContext, accountId: string, startedBy: RunStarter): Promise<void> =>
  enqueue(
    tx,
    reconcileJob,
    { accountId, startedBy },
    { singletonKey: accountId, delayMs: startedBy === 'button' ? 0 : RECONCILE_DEBOUNCE_MS },
  )

/** Queues a run without delay, for the button. */
export async function reconcileNow(ctx: Context, accountId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireVisibleAccount(tx.db, tx.viewer, accountId)
    await requestReconciliation(tx, accountId, 'button')
  })
}

const EVERY_NIGHT = '30 7 * * *'
const BATCH = 200

/** Values become outdated and waivers expire without a change to a property. Each batch is committed, so a killed run loses nothing. */
export const reconcileNightlyJob = defineJob({
  name: 'reconcile-nightly',
  input: z.object({}),
  schedule: EVERY_NIGHT,
  async run(ctx, _input, { signal }) {
    let last: string | undefined = NIL_UUID
    while (last !== undefined) {
      if (signal.aborted) throw new Error('Stopped before all accounts were queued; the next try queues the rest.')
      last = await requestBatch(ctx, last)
    }
  },
})

/** Queues runs of the accounts after this id and returns the last id; undefined if there are no more. */
const requestBatch = (ctx: Context, after: string): Promise<string | undefined> =>
  transact(ctx, async (tx) => {
    const accounts = await tx.db
      .selectFrom('accounts as a')
      .innerJoin('account_totals as t', 't.account_id', 'a.id')
      .select('a.id')
      .where('a.deleted_at', 'is', null)
      .where('t.active_properties', '>', 0)
      .where('a.id', '>', after)
      .orderBy('a.id')
      .limit(BATCH)
      .execute()
    for (const { id } of accounts) await requestReconciliation(tx, id, 'nightly')
    return accounts.at(-1)?.id
  })

export const reconciliationJobs = [reconcileJob, reconcileNightlyJob]

/**
 * Reconciles one account in one transaction, so that a killed run leaves nothing behind and a repeated one changes nothing. Does
 * nothing if the account was deleted or is in the trash.
 */
async function runReconciliation(ctx: Context, accountId: string, startedBy: RunStarter): Promise<void> {
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
        account_score: accountScore?.score ?? null,
        uncapped_score: accountScore?.uncapped ?? null,
        without_value: accountScore?.withoutValue ?? null,
        properties: properties.length,
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
  const scored: (ScoredProperty & { id: string; isNew: boolean })[] = []
  for (const property of properties) {
    const { id, quality_score } = property
    const known = facts.get(id)
    if (known === undefined) continue // permanently deleted since the register was read
    const { score } = scoreProperty(property, known, today)
    scored.push({ id, score, tiv: tivOf(property), lacksValue: lacksValue(property), isNew: score !== quality_score })
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
