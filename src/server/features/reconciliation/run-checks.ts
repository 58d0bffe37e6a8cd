import type { Reader } from '#server/access/viewer.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { COMPARISON_CHECKS, PROPERTY_CHECKS, checkProperty, compareProperties, distinct } from './check-register.ts'
import { tivOf, toFinding, type CheckContext, type Finding, type PropertyDraft } from './check.ts'
import { lacksValue } from './check-missing.ts'
import { pointsByGroup, scoreAccount, scoreProperty, type ScoredProperty } from './quality-score.ts'
import { readDismissedPairs, readRegister, readScoreFacts, readSources, type RegisteredProperty } from './read-register.ts'
import { closeObsolete, storeFindings, storeScores, type RunCounts } from './store-findings.ts'

/** How many properties are checked and stored at a time: few, so that most of a batch is garbage when the young generation is collected. */
const BATCH = 250

/** How much of a run is done when all properties are checked, and when their scores are stored, too. */
const CHECKED_SHARE = 0.5
const SCORED_SHARE = 0.75

interface ChecksOf {
  accountId: string
  context: CheckContext
  /** The company's settings, as text: a change of them makes every property's digest differ. */
  rules: string
  /** Checks every property; otherwise only those whose values or rules differ from the last check. */
  isFull: boolean
  signal: AbortSignal
  report: (done: number, total: number) => Promise<void>
}

interface RunResult {
  counts: RunCounts
  /** How many properties have another score than before. */
  rescored: number
  accountScore: ReturnType<typeof scoreAccount>
  /** How many active properties there are. */
  properties: number
}

/**
 * Runs all checks of an account and stores findings and scores. Checks that compare properties always read the whole register; the
 * others only the changed part. Memory: about 1 KB per property of the account, and the findings of one batch.
 */
export async function runChecks(db: Reader, part: ChecksOf): Promise<RunResult> {
  const { accountId, context, isFull } = part
  const counts: RunCounts & Record<'openedBy' | 'returnedBy', Record<string, number>> = {
    opened: 0,
    openedBy: {},
    returnedBy: {},
    changed: 0,
    fixed: 0,
    obsolete: await closeObsolete(db, accountId),
  }
  const add = (more: RunCounts) => {
    counts.opened += more.opened
    for (const name of ['openedBy', 'returnedBy'] as const)
      for (const [check, count] of Object.entries(more[name])) counts[name][check] = (counts[name][check] ?? 0) + count
    counts.changed += more.changed
    counts.fixed += more.fixed
    counts.obsolete += more.obsolete
  }
  const register = await readRegister(db, accountId, part.rules)
  const changed = isFull ? register : register.filter(({ checked_digest, digest }) => checked_digest !== digest)
  await part.report(0, changed.length)
  add(await storeComparison(db, part, register))
  const yieldToEventLoop = eventLoopYielder()
  for (let start = 0; start < changed.length; start += BATCH) {
    if (part.signal.aborted) throw new Error('Stopped before all properties were checked; the next try checks them.')
    const batch = changed.slice(start, start + BATCH)
    const drafts: PropertyDraft[] = []
    for (const property of batch) {
      drafts.push(...checkProperty(property, context))
      await yieldToEventLoop()
    }
    const [propertyIds, findings] = [batch.map(({ id }) => id), await toFindings(db, drafts, context)]
    add(await storeFindings(db, { accountId, checks: PROPERTY_CHECKS, propertyIds, findings, today: context.today }))
    await part.report(Math.floor((start + batch.length) * CHECKED_SHARE), changed.length)
  }
  const reportScores = (share: number) =>
    part.report(Math.floor((CHECKED_SHARE + share * (SCORED_SHARE - CHECKED_SHARE)) * changed.length), changed.length)
  return { counts, ...(await scoreRegister(db, part, register, reportScores)) }
}

/** The findings that need the whole register, such as duplicates. */
async function storeComparison(db: Reader, { accountId, context }: ChecksOf, register: readonly RegisteredProperty[]): Promise<RunCounts> {
  const drafts = await compareProperties(register, context, await readDismissedPairs(db, accountId, context.today))
  const findings = await toFindings(db, drafts, context)
  return storeFindings(db, { accountId, checks: COMPARISON_CHECKS, findings, today: context.today })
}

async function toFindings(db: Reader, drafts: readonly PropertyDraft[], context: CheckContext): Promise<Finding[]> {
  const sources = await readSources(db, drafts)
  return distinct(drafts.map((found) => toFinding(found, sources.get(found.property.id) ?? null, context)))
}

async function scoreRegister(
  db: Reader,
  { accountId, context }: ChecksOf,
  register: readonly RegisteredProperty[],
  report: (share: number) => Promise<void>,
) {
  const facts = await readScoreFacts(db, accountId)
  const yieldToEventLoop = eventLoopYielder()
  const scored: (ScoredProperty & { id: string; score: number; digest: string; isNew: boolean })[] = []
  let rescored = 0
  for (const property of register) {
    const { id, digest, checked_digest, quality_score } = property
    const known = facts.get(id)
    if (known === undefined) continue // permanently deleted since the register was read
    const { score, parts } = scoreProperty(property, known, context.today)
    if (score !== quality_score) rescored += 1
    scored.push({
      id,
      score,
      points: pointsByGroup(parts),
      tiv: tivOf(property),
      lacksValue: lacksValue(property),
      digest,
      isNew: score !== quality_score || digest !== checked_digest,
    })
    await yieldToEventLoop()
  }
  await storeScores(
    db,
    accountId,
    scored.filter(({ isNew }) => isNew),
    report,
  )
  return { rescored, accountScore: scoreAccount(scored), properties: register.length }
}
