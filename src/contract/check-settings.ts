import { z } from 'zod'
import { CHECK_IDS, SEVERITIES, type CheckNumber, CHECK_DEFAULTS } from './checks.ts'
import { codesOf } from './code-lists.ts'
import { formatDecimal } from './format.ts'
import { PROPERTY_TYPES } from './property-vocabularies.ts'

/** The rules of the reconciliation that a company can change: docs/domain.md, "Checks". */

interface NumberInfo {
  /** Describes the number where its check is named, too. */
  label: string
  unit: string
  min: number
  max: number
  /** A share from 0 to 1, which people read and enter as a percentage. */
  isShare?: boolean
  /** Without a separator of thousands. */
  isYear?: boolean
}

const MONEY_MAX = 1_000_000_000_000
const money = (label: string): NumberInfo => ({ label, unit: 'US dollars', min: 0, max: MONEY_MAX })
const share = (label: string, unit: string, max = 1): NumberInfo => ({ label, unit, min: 0, max, isShare: true })
const count = (label: string, unit: string, min: number, max: number): NumberInfo => ({ label, unit, min, max })

export const CHECK_NUMBERS: Readonly<Record<CheckNumber, NumberInfo>> = {
  sprinklerFromTiv: money('Serious from a TIV of'),
  staleMonths: count('Too old after', 'months', 1, 600),
  staleCriticalMonths: count('Critical after', 'months', 1, 600),
  statedTotalTolerance: share('Difference of more than', '% of the stated TIV'),
  placeholderCount: count('On at least', 'properties', 2, 1_000),
  placeholderShare: share('And at least', '% of the properties'),
  underinsuredBelow: share('Below', '% of the rebuilding cost'),
  concentrationAbove: share('More than', '% of the TIV'),
  concentrationLocationsMin: count('From', 'locations', 2, 1_000),
  duplicatePossible: count('From', 'points', 1, 200),
  duplicateLikely: count('Critical from', 'points', 1, 200),
  duplicateWithinMeters: count('Same place within', 'm', 0, 10_000),
  duplicateValueTolerance: share('Same value within', '%'),
  coarseGeocodeFrom: count('Coarse from accuracy level', '', 1, 10),
  outlierTolerance: share('Outside the band by more than', '%'),
  outlierCriticalBelowLow: share('Critical below', '% of the low end'),
  outlierCriticalAboveHigh: share('Critical above', '% of the high end', 100),
  frameStoriesMax: count('Frame: at most', 'stories', 1, 200),
  combustibleBuiltFrom: { label: 'Frame and joisted masonry: built from', unit: '', min: 1000, max: 2100, isYear: true },
  lowRiseStoriesMax: count('Parking and warehouse: at most', 'stories', 1, 200),
  areaPerStoryMinSqft: count('Area per story: at least', 'sq ft', 0, 1_000_000),
  areaPerStoryHomeMinSqft: count('Area per story of homes: at least', 'sq ft', 0, 1_000_000),
  contentsTimesBuildingMax: count('Contents or income: at most', 'times the building value', 0, 10_000),
}

/** A number as people read and enter it: shares as percentages. */
export function numberText(name: CheckNumber, value: number): string {
  const { isShare, isYear } = CHECK_NUMBERS[name]
  if (isYear === true) return String(value)
  return formatDecimal(isShare === true ? value * 100 : value)
}
/** The number to store for one as people enter it: two decimals count. */
export const storedNumber = (name: CheckNumber, shown: number): number =>
  Math.round(shown * 100) / (CHECK_NUMBERS[name].isShare === true ? 10_000 : 100)

/** Each pair is in this order, or the second has no effect. */
const ORDERED = [
  ['staleMonths', 'staleCriticalMonths'],
  ['duplicatePossible', 'duplicateLikely'],
] as const satisfies readonly (readonly [CheckNumber, CheckNumber])[]

const Numbers = z
  .partialRecord(z.enum(codesOf(CHECK_DEFAULTS)), z.number('Please enter a number.'))
  .superRefine((numbers, { addIssue }) => {
    const reject = (name: CheckNumber, message: string) => addIssue({ code: 'custom', path: [name], message })
    for (const name of codesOf(CHECK_DEFAULTS)) {
      const { min, max } = CHECK_NUMBERS[name]
      const value = numbers[name] ?? min
      const limits = `${numberText(name, min)} to ${numberText(name, max)}`
      if (value < min || value > max) reject(name, `Please enter a number from ${limits}.`)
    }
    for (const [first, second] of ORDERED) {
      const [from, to] = [numbers[first] ?? CHECK_DEFAULTS[first], numbers[second] ?? CHECK_DEFAULTS[second]]
      if (from > to) reject(second, `Please enter at least ${numberText(first, from)}.`)
    }
  })

const Severity = z.enum(SEVERITIES).optional()
const Amount = z.number('Please enter an amount.').min(0, 'Please enter 0 or more.').max(1_000_000, 'Please enter at most 1,000,000.')
const Band = z.tuple([Amount, Amount]).refine(([low, high]) => low < high, 'The low value must be below the high one.')

/** What a company changed; everything else is as in `CHECKS`, `CHECK_DEFAULTS` and `VALUE_BANDS`. */
export const CheckSettings = z.strictObject({
  checks: z
    .partialRecord(
      z.enum(CHECK_IDS),
      z.strictObject({
        enabled: z.boolean().optional(),
        severity: z.strictObject({ usual: Severity, raised: Severity, lesser: Severity }).optional(),
      }),
    )
    .optional(),
  numbers: Numbers.optional(),
  value_bands: z.partialRecord(z.enum(codesOf(PROPERTY_TYPES)), Band).optional(),
})
export type CheckSettings = z.output<typeof CheckSettings>
