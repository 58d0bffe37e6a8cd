import { sql } from 'kysely'
import { z } from 'zod'
import { formatNumber, isoDateIn, plural } from '#contract/format.ts'
import { RECONCILE_DEBOUNCE_MS } from '#contract/limits.ts'
import { Id } from '#contract/route.ts'
import { principalsOf } from '#server/access/accounts.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { defineJob, enqueue, type JobRun } from '#server/engines/jobs/define-job.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'
import { criticalProperties, updateSystemFlags } from '../flags/system-flags.commands.ts'
import { beginRun, endRun, finishRun, keepAlive, markCompanyOutdated, markOutdated, reportProgress, type BegunRun } from './check-state.ts'
import { checkContext } from './check.ts'
import { measureRegister, readAccount } from './read-register.ts'
import { markWidespread, readWidespread, type RunCounts } from './store-findings.ts'
import { runChecks } from './run-checks.ts'

/** What can start a run. */
const RUN_STARTERS = ['import', 'edit', 'document', 'nightly', 'button'] as const
type RunStarter = (typeof RUN_STARTERS)[number]

const RunRequest = z.object({ accountId: Id, startedBy: z.enum(RUN_STARTERS) })
type RunRequest = z.output<typeof RunRequest>

export const reconcileJob = defineJob({
  name: 'reconcile',
  input: RunRequest,
  // A small account does not wait for a large one.
  concurrency: 3,
  run: runReconciliation,
})

/** A changed version of these models makes the metric of the reconciliation outdated, which shows the state. */
const SHOWS_STATE: ReadonlySet<string> = new Set(['account_properties', 'discrepancies'])

/**
 * Marks the findings as out of date and queues a run in the transaction of a change. Requests within 5 seconds become one run per
 * account.
 */
export async function requestReconciliation(tx: WriteContext, accountId: string, startedBy: RunStarter): Promise<void> {
  await markOutdated(tx, accountId)
  // A change of documents raises no version of the findings, which are now out of date.
  const isDeclared = tx.changes.some(({ model, inAccount }) => inAccount === accountId && SHOWS_STATE.has(model))
  if (!isDeclared) emit(tx, { model: 'discrepancies', id: null, for: [accountId] })
  const delayMs = startedBy === 'button' ? 0 : RECONCILE_DEBOUNCE_MS
  await enqueue(tx, reconcileJob, { accountId, startedBy }, { singletonKey: accountId, delayMs })
}

/** The same for each account of these documents or reports, which are evidence for the scores of its properties. */
export async function requestScores(tx: WriteContext, evidence: readonly { account_id: string }[]): Promise<void> {
  for (const accountId of new Set(evidence.map(({ account_id }) => account_id).sort()))
    await requestReconciliation(tx, accountId, 'document')
}

/** Queues a run without delay, for the button. */
export async function reconcileNow(ctx: Context, accountId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireVisibleAccount(tx.db, tx.viewer, accountId)
    await requestReconciliation(tx, accountId, 'button')
  })
}

const EVERY_NIGHT = '30 7 * * *'
const BATCH = 200

/** Values become outdated and waivers expire without a change to a property. */
export const reconcileNightlyJob = defineJob({
  name: 'reconcile-nightly',
  input: z.object({}),
  schedule: EVERY_NIGHT,
  run: (ctx, _input, { signal }) => requestAll(ctx, { startedBy: 'nightly' }, signal),
})

const reconcileCompanyJob = defineJob({
  name: 'reconcile-company',
  input: z.object({ companyId: Id }),
  run: (ctx, { companyId }, { signal }) => requestAll(ctx, { startedBy: 'edit', companyId }, signal),
})

/** Marks the findings of all accounts of a company as out of date and queues runs, in the transaction of a change of its checks. */
export async function requestCompanyReconciliation(tx: WriteContext, companyId: string): Promise<void> {
  await markCompanyOutdated(tx, companyId)
  emit(tx, { model: 'discrepancies', id: null, for: [companyId] })
  await enqueue(tx, reconcileCompanyJob, { companyId })
}

interface Requests {
  startedBy: RunStarter
  /** Of all companies unless given. */
  companyId?: string
}

/** Queues runs of all accounts. Each batch is committed, so a killed job loses nothing. */
async function requestAll(ctx: Context, requests: Requests, signal: AbortSignal): Promise<void> {
  let last: string | undefined = NIL_UUID
  while (last !== undefined) {
    if (signal.aborted) throw new Error('Stopped before all accounts were queued; the next try queues the rest.')
    last = await requestBatch(ctx, requests, last)
  }
}

/** Queues runs of the accounts after this id and returns the last id; undefined if there are no more. */
const requestBatch = (ctx: Context, { startedBy, companyId }: Requests, after: string): Promise<string | undefined> =>
  transact(ctx, async (tx) => {
    const accounts = await tx.db
      .selectFrom('accounts as a')
      .innerJoin('account_totals as t', 't.account_id', 'a.id')
      .select('a.id')
      .where('a.deleted_at', 'is', null)
      .where('t.active_properties', '>', 0)
      .where('a.id', '>', after)
      .$if(companyId !== undefined, (query) => query.where('a.company_id', '=', companyId ?? ''))
      .orderBy('a.id')
      .limit(BATCH)
      .execute()
    for (const { id } of accounts) await requestReconciliation(tx, id, startedBy)
    return accounts.at(-1)?.id
  })

export const reconciliationJobs = [reconcileJob, reconcileNightlyJob, reconcileCompanyJob]

/**
 * Reconciles one account in one transaction, so that a killed run leaves nothing behind and a repeated one changes nothing. Does
 * nothing if the account was deleted or is in the trash. Records in `check_states` how far it is.
 */
async function runReconciliation(ctx: Context, { accountId, startedBy }: RunRequest, { lastAttempt, signal }: JobRun): Promise<void> {
  const run = await beginRun(ctx, accountId)
  if (run === undefined) return
  const stop = keepAlive(ctx, accountId)
  try {
    await measureRegister(ctx.db, accountId)
    await transact(ctx, (tx) => reconcileAccount(ctx, tx, { accountId, startedBy, run, signal }))
  } catch (error) {
    await endRun(ctx, accountId, { failed: lastAttempt && !signal.aborted })
    throw error
  } finally {
    stop()
  }
}

interface Reconciliation extends RunRequest {
  run: BegunRun
  signal: AbortSignal
}

async function reconcileAccount(ctx: Context, tx: WriteContext, { accountId, startedBy, run, signal }: Reconciliation): Promise<void> {
  const startedAt = ctx.clock.now()
  // Two parallel runs of one account would both open the same discrepancies.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('reconcile', 0) # hashtextextended(${accountId}, 0))`.execute(tx.db)
  const account = await readAccount(tx.db, accountId)
  if (account === undefined) return endRun(tx, accountId)
  const context = checkContext(account.check_settings, isoDateIn(startedAt, account.timezone))
  const critical = await criticalProperties(tx.db, accountId)
  const before = await readWidespread(tx.db, accountId)
  const { counts, rescored, accountScore, properties } = await runChecks(tx.db, {
    accountId,
    context,
    rules: JSON.stringify(account.check_settings),
    // Some findings depend on the day. The button checks every property.
    isFull: startedBy === 'button' || run.checkedOn !== context.today,
    signal,
    report: (done, total) => reportProgress(ctx, accountId, done, total),
  })
  const { opened, changed, fixed, obsolete } = counts
  const marked = await markWidespread(tx.db, accountId)
  await updateSystemFlags(tx, accountId, critical)
  await tx.db
    .insertInto('reconciliation_runs')
    .values({
      account_id: accountId,
      started_by: startedBy,
      started_at: startedAt,
      account_score: accountScore?.score ?? null,
      uncapped_score: accountScore?.uncapped ?? null,
      score_parts: accountScore === null ? null : JSON.stringify(accountScore.points),
      without_value: accountScore?.withoutValue ?? null,
      properties,
      opened,
      fixed,
      obsolete,
      open_total: sql<number>`(SELECT count(*)::int FROM discrepancies WHERE account_id = ${accountId} AND status = 'open')`,
      finished_at: tx.clock.now(),
    })
    .execute()
  const news = newsOf(counts, { before, now: new Set(marked.checks) })
  if (news !== undefined) {
    const message = `Reconciliation found ${news}`
    await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'reconciled', message })
  }
  await finishRun(tx, accountId, { requested: run.requested, at: startedAt, today: context.today })
  const findings = opened + changed + fixed + obsolete
  await publishRun(tx, accountId, { isActivity: startedBy !== 'nightly' && findings > 0, isNews: findings + rescored + marked.changed > 0 })
}

/**
 * New discrepancies as the reconciliation panel counts them: those of single properties, and checks that are now one sentence about the
 * whole schedule; and earlier ones that are open again, as after an undo. Undefined if there are none.
 */
function newsOf({ openedBy, returnedBy }: RunCounts, widespread: Record<'before' | 'now', ReadonlySet<string>>): string | undefined {
  const ownOf = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).reduce((sum, [check, count]) => sum + (widespread.now.has(check) ? 0 : count), 0)
  const [own, returned] = [ownOf(openedBy), ownOf(returnedBy)]
  const shared = Object.keys(openedBy).filter((check) => widespread.now.has(check) && !widespread.before.has(check)).length
  const counted = (count: number, which: string) => plural(count, `${which} discrepancy`, `${which} discrepancies`)
  const news = [
    own > 0 && counted(own, 'new'),
    shared > 0 && `${own > 0 ? formatNumber(shared) : counted(shared, 'new')} for the whole schedule`,
    returned > 0 && `${counted(returned, 'earlier')} again`,
  ].filter((part) => part !== false)
  return news.length === 0 ? undefined : news.join(' and ')
}

/**
 * Raises the version of the account's findings, which are now of another time, and if they or scores changed, of the lists that show
 * them; never the version of the register. A nightly run does not move the account to the top of recently active ones either.
 */
async function publishRun(tx: WriteContext, accountId: string, { isActivity, isNews }: { isActivity: boolean; isNews: boolean }) {
  emit(tx, { model: 'discrepancies', id: null, ...(isActivity ? { inAccount: accountId } : { for: [accountId] }) })
  if (!isNews) return
  const scopes = [accountId, ...(await principalsOf(tx.db, accountId))]
  emit(tx, { model: 'account_properties', id: null, for: scopes })
  emit(tx, { model: 'discrepancies', id: null, for: scopes })
}
