import { CHECK_IDS, type CheckId } from '#contract/checks.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { incompleteAddress, inexactLocation, stateZipMismatch } from './check-address.ts'
import { possibleDuplicates } from './check-duplicates.ts'
import { implausible } from './check-implausible.ts'
import { missingConstruction, missingOccupancy, missingSize, missingSprinkler, missingValues, missingYearBuilt } from './check-missing.ts'
import { toFinding, type CheckContext, type CheckedProperty, type Draft, type Finding } from './check.ts'
import { concentrations, repeatedPlaceholders, staleValuation, statedTotalDiffers, underinsured, valueOutOfBand } from './check-values.ts'

type PropertyCheck = (property: CheckedProperty, context: CheckContext) => Iterable<Draft>
type RegisterCheck = (
  properties: readonly CheckedProperty[],
  context: CheckContext,
  dismissedPairs: ReadonlySet<string>,
) => Iterable<{ property: CheckedProperty; draft?: Draft }>

/** `each` checks one property by its own values; `all` compares the properties of the register. */
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
  'DQ-13': { each: implausible },
  'DQ-14': { each: statedTotalDiffers },
  'DQ-15': { each: staleValuation },
  'DQ-16': { all: repeatedPlaceholders },
  'DQ-17': { each: underinsured },
  'DQ-18': { all: concentrations },
} as const satisfies Record<CheckId, { each: PropertyCheck } | { all: RegisterCheck }>

const runnerOf = (check: CheckId): { each?: PropertyCheck; all?: RegisterCheck } => RUNNERS[check]

/** The findings of one property by its own values. */
export function checkProperty(property: CheckedProperty, context: CheckContext): Finding[] {
  return CHECK_IDS.filter((check) => context.enabled(check)).flatMap((check) =>
    [...(runnerOf(check).each?.(property, context) ?? [])].map((draft) => toFinding(check, property, draft, context)),
  )
}

/** Every finding of an account's active properties. `dismissedPairs` are the pairs (`pairKey`) that users decided are no duplicates. */
export async function checkRegister(
  properties: readonly CheckedProperty[],
  context: CheckContext,
  dismissedPairs: ReadonlySet<string>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const yieldToEventLoop = eventLoopYielder()
  for (const property of properties) {
    findings.push(...checkProperty(property, context))
    await yieldToEventLoop()
  }
  for (const check of CHECK_IDS) {
    const { all } = runnerOf(check)
    if (all === undefined || !context.enabled(check)) continue
    for (const { property, draft } of all(properties, context, dismissedPairs)) {
      if (draft !== undefined) findings.push(toFinding(check, property, draft, context))
      await yieldToEventLoop()
    }
  }
  // Each fingerprint is stored once per account.
  return [...new Map(findings.map((finding) => [finding.fingerprint, finding])).values()]
}
