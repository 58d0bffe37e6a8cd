import type { CheckId } from '#contract/checks.ts'
import type { Reader } from '#server/access/viewer.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { COMPARISON_CHECKS, PROPERTY_CHECKS, checkProperty, compareProperties, distinct } from './check-register.ts'
import { textPool } from '#server/kernel/text-pool.ts'
import { comparedValues, toFinding, type CheckContext, type ComparedProperty, type PropertyDraft } from './check.ts'
import { addFacts, scoreAccount, scoreValues, sumOfPoints, type AccountScore, type ScoredProperty } from './quality-score.ts'
import { countRegister, readDismissedPairs, readRegister, readScoreFacts, readSources, type RegisteredProperty } from './read-register.ts'
import {
  closeObsolete,
  countChecked,
  storeFindings,
  storeScores,
  type CheckedProperties,
  type CheckedScore,
  type RunCounts,
} from './store-findings.ts'

/** How many properties are scored at a time. */
const SCORE_ROWS = 2_000

/** How much of a run is done when all properties are checked, and when their scores are stored, too. */
const CHECKED_SHARE = 0.5
const SCORED_SHARE = 0.75

const UNCHANGED: RunCounts = { opened: 0, openedBy: {}, returnedBy: {}, changed: 0, fixed: 0, obsolete: 0 }

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
  /** How many properties were checked because they changed, or because the run is full. */
  checked: number
  /** How many properties have another score than before. */
  rescored: number
  accountScore: AccountScore | null
  /** How many active properties there are. */
  properties: number
}

/** What a run keeps of each property: what the comparisons read, and its score as far as its values decide it. */
interface KeptProperty extends ComparedProperty, ScoredProperty {
  /** The score that is stored. */
  score: number | null
  version: number
  digest: string
  isChanged: boolean
}

/**
 * Runs all checks of an account and stores findings and scores. Reads the whole register, because some checks compare its properties;
 * the others check only the changed part. Memory: about 1 KB per property of the account, and the findings of one check.
 */
export async function runChecks(db: Reader, part: ChecksOf): Promise<RunResult> {
  const { accountId, context } = part
  const sum = sumOfCounts(await closeObsolete(db, accountId))
  const total = await countRegister(db, accountId)
  const report = (done: number) => part.report(Math.min(total, Math.floor(done)), total)
  await report(0)
  const kept: KeptProperty[] = []
  const pool = textPool()
  let next: Drafts = { checks: PROPERTY_CHECKS, drafts: [], checked: [] }
  for await (const register of readRegister(db, accountId, part.rules)) {
    if (part.signal.aborted) throw new Error('Stopped before all properties were checked; the next try checks them.')
    // Stored by PostgreSQL while this process checks the properties after them.
    const [counts, found] = await Promise.all([storeDrafts(db, part, next), checkPart(register, part, kept, pool)])
    sum.add(counts)
    if (countChecked(next.checked) > 0) await report(CHECKED_SHARE * kept.length)
    next = found
  }
  sum.add(await storeDrafts(db, part, next))
  await report(CHECKED_SHARE * kept.length)
  const dismissed = await readDismissedPairs(db, accountId, context.today)
  for (const check of COMPARISON_CHECKS) {
    const drafts = await compareProperties(check, kept, context, dismissed)
    sum.add(await storeDrafts(db, part, { checks: [check], drafts, checked: kept.length }))
  }
  const scores = await scoreRegister(db, part, kept, (scored) =>
    report(CHECKED_SHARE * kept.length + (SCORED_SHARE - CHECKED_SHARE) * scored),
  )
  const checked = part.isFull ? kept.length : kept.filter(({ isChanged }) => isChanged).length
  return { counts: sum.counts, checked, properties: kept.length, ...scores }
}

/** Keeps the properties of a part of the register, and checks those that changed or all of them. */
async function checkPart(
  register: readonly RegisteredProperty[],
  { context, isFull }: ChecksOf,
  kept: KeptProperty[],
  pool: ReturnType<typeof textPool>,
): Promise<Drafts> {
  const drafts: PropertyDraft[] = []
  const checked: string[] = []
  const yieldToEventLoop = eventLoopYielder()
  for (const property of register) {
    const { id, version, digest, quality_score: score } = property
    const isChanged = digest !== property.checked_digest
    kept.push({ ...comparedValues(property, pool), ...scoreValues(property, context.today), score, version, digest, isChanged })
    if (isFull || isChanged) {
      checked.push(id)
      drafts.push(...checkProperty(property, context))
    }
    await yieldToEventLoop()
  }
  return { checks: PROPERTY_CHECKS, drafts, checked }
}

/** Adds up what the parts of a run changed. */
function sumOfCounts(obsolete: number) {
  const counts: RunCounts & Record<'openedBy' | 'returnedBy', Record<string, number>> = {
    ...UNCHANGED,
    openedBy: {},
    returnedBy: {},
    obsolete,
  }
  const add = (more: RunCounts) => {
    counts.opened += more.opened
    for (const name of ['openedBy', 'returnedBy'] as const)
      for (const [check, count] of Object.entries(more[name])) counts[name][check] = (counts[name][check] ?? 0) + count
    counts.changed += more.changed
    counts.fixed += more.fixed
    counts.obsolete += more.obsolete
  }
  return { counts, add }
}

interface Drafts {
  checks: readonly CheckId[]
  drafts: readonly PropertyDraft[]
  checked: CheckedProperties
}

/** Stores the findings of these checks. */
async function storeDrafts(db: Reader, { accountId, context }: ChecksOf, { drafts, ...part }: Drafts): Promise<RunCounts> {
  if (countChecked(part.checked) === 0) return UNCHANGED
  const sources = await readSources(db, drafts)
  const findings = distinct(drafts.map((found) => toFinding(found, sources.get(found.property.id) ?? null, context)))
  return storeFindings(db, { ...part, accountId, findings, today: context.today })
}

/** The scores, from the findings that are stored now. Those that differ are stored. */
async function scoreRegister(
  db: Reader,
  { accountId, context }: ChecksOf,
  kept: readonly KeptProperty[],
  report: (scored: number) => Promise<void>,
): Promise<Pick<RunResult, 'rescored' | 'accountScore'>> {
  const scored: ScoredProperty[] = []
  let rescored = 0
  const yieldToEventLoop = eventLoopYielder()
  for (let start = 0; start < kept.length; start += SCORE_ROWS) {
    const batch = kept.slice(start, start + SCORE_ROWS)
    const facts = await readScoreFacts(
      db,
      accountId,
      batch.map(({ id }) => id),
    )
    const changed: CheckedScore[] = []
    for (const property of batch) {
      const { id, version, tiv, lacksValue, digest, isChanged, score: before } = property
      const known = facts.get(id)
      if (known === undefined) continue // permanently deleted since the register was read
      const points = addFacts(property, known, context.today)
      const score = sumOfPoints(points)
      scored.push({ points, tiv, lacksValue })
      if (score !== before) rescored += 1
      if (score !== before || isChanged) changed.push({ id, version, score, digest })
      await yieldToEventLoop()
    }
    await storeScores(db, accountId, changed)
    await report(start + batch.length)
  }
  return { rescored, accountScore: scoreAccount(scored) }
}
