import { isMoneyField, type HeaderTarget } from './header-synonyms.ts'

/** Words for what is insured. */
const INSURED = new Set(
  (
    'building buildings structure structures contents bpp personal stock inventory machinery equipment edp computers improvements betterments ' +
    'leasehold bi income interruption rents rental profit earnings expense fixtures furniture signs fences art glass tools landlord contingent dependent'
  ).split(' '),
)

/** Whether a header names something else to be insured than a synonym of a value: "Stock Sum Insured" is not the sum insured. */
export const isOfAnother = (target: HeaderTarget, header: readonly string[], synonym: readonly string[]): boolean =>
  (isMoneyField(target) && header.some((token) => INSURED.has(token) && !synonym.includes(token))) ||
  (SPRINKLERS.has(target) && header.some((token) => COVERS.has(token)))

const SPRINKLERS: ReadonlySet<string> = new Set(['sprinklered', 'percent_sprinklered'] satisfies HeaderTarget[])
/** Insured damage by sprinklers, and what is wrong with them. */
const COVERS = new Set('leakage discharge coverage limit deficiency deficiencies impairment'.split(' '))

/** Words that occur in the headers of many fields count less. */
const GENERIC = new Set(
  'building buildings location property number value values type code name site total date year description class item unit street y n yes'.split(
    ' ',
  ),
)
const GENERIC_WEIGHT = 0.3

const weigh = (tokens: readonly string[]) => tokens.reduce((sum, token) => sum + (GENERIC.has(token) ? GENERIC_WEIGHT : 1), 0)

/** The share of the words that both have, by weight; 0 if they share generic words only. */
export function sharedWeight(left: readonly string[], right: readonly string[]): number {
  const shared = left.filter((token) => right.includes(token))
  return shared.every((token) => GENERIC.has(token)) ? 0 : weigh(shared) / weigh([...new Set([...left, ...right])])
}
