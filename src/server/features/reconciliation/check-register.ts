import { CHECK_IDS, type CheckId } from '#contract/checks.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { incompleteAddress, inexactLocation, stateZipMismatch } from './check-address.ts'
import { possibleDuplicates } from './check-duplicates.ts'
import { implausible } from './check-implausible.ts'
import { missingConstruction, missingOccupancy, missingSize, missingSprinkler, missingValues, missingYearBuilt } from './check-missing.ts'
import {
  comparedValues,
  toFinding,
  type CheckContext,
  type CheckedProperty,
  type ComparedProperty,
  type Draft,
  type Finding,
  type PropertyDraft,
} from './check.ts'
import { concentrations, repeatedPlaceholders, staleValuation, statedTotalDiffers, underinsured, valueOutOfBand } from './check-values.ts'

type PropertyCheck = (property: CheckedProperty, context: CheckContext) => Iterable<Draft>
type RegisterCheck = (
  properties: readonly ComparedProperty[],
  context: CheckContext,
  dismissedPairs: ReadonlySet<string>,
) => Iterable<{ property: PropertyDraft['property']; draft?: Draft }>

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

const compares = (check: CheckId) => runnerOf(check).all !== undefined
/** The checks of `checkProperty`. */
export const PROPERTY_CHECKS = CHECK_IDS.filter((check) => !compares(check))
/** The checks of `compareProperties`, one at a time. */
export const COMPARISON_CHECKS = CHECK_IDS.filter(compares)

/** What is wrong with one property by its own values. */
export function checkProperty(property: CheckedProperty, context: CheckContext): PropertyDraft[] {
  const drafts: PropertyDraft[] = []
  for (const check of PROPERTY_CHECKS) {
    if (!context.enabled(check)) continue
    for (const draft of runnerOf(check).each?.(property, context) ?? []) drafts.push({ check, property, draft })
  }
  return drafts
}

/** What one check finds by comparing the properties of a register. `dismissedPairs` (`pairKey`) are decided to be no duplicates. */
export async function compareProperties(
  check: CheckId,
  properties: readonly ComparedProperty[],
  context: CheckContext,
  dismissedPairs: ReadonlySet<string>,
): Promise<PropertyDraft[]> {
  const drafts: PropertyDraft[] = []
  const yieldToEventLoop = eventLoopYielder()
  if (!context.enabled(check)) return drafts
  for (const { property, draft } of runnerOf(check).all?.(properties, context, dismissedPairs) ?? []) {
    if (draft !== undefined) drafts.push({ check, property, draft })
    await yieldToEventLoop()
  }
  return drafts
}

/** Every finding of a register; a run makes the same in parts. A fingerprint is unique in an account. */
export async function checkRegister(
  properties: readonly CheckedProperty[],
  context: CheckContext,
  dismissedPairs: ReadonlySet<string>,
): Promise<Finding[]> {
  const drafts = properties.flatMap((property) => checkProperty(property, context))
  const compared = properties.map((property) => comparedValues(property))
  for (const check of COMPARISON_CHECKS) drafts.push(...(await compareProperties(check, compared, context, dismissedPairs)))
  const sources = new Map(properties.map((property) => [property.id, property.sources]))
  return distinct(drafts.map((found) => toFinding(found, sources.get(found.property.id) ?? null, context)))
}

/** Without repeated fingerprints. */
export const distinct = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [finding.fingerprint, finding])).values(),
]
