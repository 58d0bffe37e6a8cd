import { CHECK_IDS, type CheckId } from '#contract/checks.ts'
import { incompleteAddress, inexactLocation, stateZipMismatch } from './check-address.ts'
import { possibleDuplicates } from './check-duplicates.ts'
import { implausible } from './check-implausible.ts'
import {
  missingConstruction,
  missingOccupancy,
  missingSize,
  missingSprinkler,
  missingValues,
  missingYearBuilt,
  unmappedCode,
} from './check-missing.ts'
import { concentrations, repeatedPlaceholders } from './check-register-wide.ts'
import type { CheckContext } from './check-rules.ts'
import { staleValuation, statedTotalDiffers, underinsured, valueOutOfBand } from './check-values.ts'
import type { CheckedProperty } from './checked-property.ts'
import { finish, type Draft, type Finding } from './finding.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'

type PropertyCheck = (property: CheckedProperty, context: CheckContext) => Draft[]
type RegisterCheck = (
  properties: readonly CheckedProperty[],
  context: CheckContext,
  settledPairs: ReadonlySet<string>,
) => Iterable<{ property: CheckedProperty; draft?: Draft }>

/** A property yields its drafts whatever the others hold; a register check needs all of them. Every check is one or the other. */
const RUNNERS = {
  'DQ-01': { each: incompleteAddress },
  'DQ-02': { each: stateZipMismatch },
  'DQ-03': { each: missingConstruction },
  'DQ-04': { each: missingYearBuilt },
  'DQ-05': { each: missingSize },
  'DQ-06': { each: missingOccupancy },
  'DQ-07': { each: missingSprinkler },
  'DQ-08': { each: inexactLocation },
  'DQ-09': { all: possibleDuplicates },
  'DQ-10': { each: missingValues },
  'DQ-11': { each: valueOutOfBand },
  'DQ-12': { each: unmappedCode },
  'DQ-13': { each: implausible },
  'DQ-14': { each: statedTotalDiffers },
  'DQ-15': { each: staleValuation },
  'DQ-16': { all: repeatedPlaceholders },
  'DQ-17': { each: underinsured },
  'DQ-18': { all: concentrations },
} as const satisfies Record<CheckId, { each: PropertyCheck } | { all: RegisterCheck }>

const runnerOf = (check: CheckId): { each?: PropertyCheck; all?: RegisterCheck } => RUNNERS[check]

/** The findings of one property that its own values make. */
export function checkProperty(property: CheckedProperty, context: CheckContext): Finding[] {
  return CHECK_IDS.filter((check) => context.rules.enabled(check)).flatMap((check) =>
    (runnerOf(check).each?.(property, context) ?? []).map((draft) => finish(check, property, draft, context)),
  )
}

/**
 * Every finding of an account's active properties, a slice at a time so that requests are answered meanwhile.
 * `settledPairs` are the pairs (pairKey) that a person decided are no duplicates.
 */
export async function checkRegister(
  properties: readonly CheckedProperty[],
  context: CheckContext,
  settledPairs: ReadonlySet<string>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const yieldToEventLoop = eventLoopYielder()
  for (const property of properties) {
    findings.push(...checkProperty(property, context))
    await yieldToEventLoop()
  }
  for (const check of CHECK_IDS) {
    const { all } = runnerOf(check)
    if (all === undefined || !context.rules.enabled(check)) continue
    for (const { property, draft } of all(properties, context, settledPairs)) {
      if (draft !== undefined) findings.push(finish(check, property, draft, context))
      await yieldToEventLoop()
    }
  }
  return uniqueByFingerprint(findings)
}

/** The store holds a fingerprint once an account; a fact that is met twice is one difference. */
function uniqueByFingerprint(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.fingerprint, finding])).values()]
}
