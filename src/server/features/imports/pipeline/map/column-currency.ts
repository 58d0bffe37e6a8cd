import { isDeepStrictEqual } from 'node:util'
import { IMPORT_MAPPED_SCORE } from '#contract/limits.ts'
import { PROPERTY_DEFAULTS, isInsuredValue, isTivPart } from '#contract/property-fields.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isMoneyField, type HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { currencyIn, mayMean } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { excludesDollars } from '#server/features/imports/pipeline/validate/read-currency.ts'

/** A column and the field of money that it may have the values of. */
interface Amounts {
  index: number
  target: HeaderTarget
  score: number
  headerScore: number
  words: string
  period: number
  filled: number
  /** The currency that the header names. */
  currency: string | undefined
}

/**
 * The column that names what the amount of each row insures (Building, Contents, BI), for schedules with one row per coverage.
 */
export const coverageColumn = <C extends { header: string; samples: readonly string[] }>(columns: readonly C[]): C | undefined =>
  columns.find(({ samples }) => {
    const fields = samples.map((text) =>
      scoreHeader(normalizeHeader(text)).find(({ target, score }) => score === 1 && isMoneyField(target)),
    )
    return fields.every((field) => field !== undefined) && new Set(fields.map((field) => field.target)).size > 1
  })

const isPlausible = ({ target, score, headerScore }: Amounts): boolean =>
  isMoneyField(target) && headerScore >= 0.9 && score >= IMPORT_MAPPED_SCORE

interface SampledColumn {
  column: string
  header: string
  samples: readonly string[]
}
type TargetOf = (column: string) => string | undefined

/** The currencies that the columns with parts of the TIV name in their header, or in all of their samples, by letter. */
export function columnCurrencies(columns: readonly SampledColumn[], targetOf: TargetOf): Map<string, string> {
  const amounts = columns.filter(({ column }) => isInsuredValue(targetOf(column)))
  const named = amounts.flatMap(({ column, header, samples }) => {
    const [sampled, ...others] = new Set(samples.map(currencyIn))
    const currency = currencyIn(header) ?? (others.length === 0 ? sampled : undefined)
    return currency === undefined ? [] : [[column, currency] as const]
  })
  const currencies = new Map(named)
  if (!excludesDollars(new Set(currencies.values()))) return currencies
  const isDollars = (texts: readonly string[]) => texts.length > 0 && texts.every((text) => text.includes('$'))
  const dollars = amounts.filter(({ column, header, samples }) => !currencies.has(column) && (isDollars([header]) || isDollars(samples)))
  return new Map([...currencies, ...dollars.map(({ column }) => [column, PROPERTY_DEFAULTS.currency] as const)])
}

/** A currency that only some of the columns with insured values name. */
export interface PartCurrency {
  currency: string
  named: readonly MoneyColumn[]
  unnamed: readonly MoneyColumn[]
}
interface MoneyColumn {
  column: string
  target: string
}

/**
 * The currency that only some columns with insured values name, if others with amounts name none. Undefined if a column names the currency of
 * each row. A stated total without a currency has that of its parts.
 */
export function partCurrency(columns: readonly SampledColumn[], targetOf: TargetOf): PartCurrency | undefined {
  if (columns.some(({ column, samples }) => targetOf(column) === 'currency' && samples.length > 0)) return undefined
  const currencies = columnCurrencies(columns, targetOf)
  const [currency, ...others] = new Set(currencies.values())
  if (currency === undefined || others.length > 0) return undefined
  const moneyColumns = (isMeant: (one: SampledColumn) => boolean) =>
    columns.filter(isMeant).map(({ column }): MoneyColumn => ({ column, target: targetOf(column) ?? '' }))
  const isUnnamed = ({ column, samples }: SampledColumn) =>
    isTivPart(targetOf(column)) &&
    !currencies.has(column) &&
    samples.some((text) => /[1-9]/.test(text)) &&
    samples.every((text) => currencyIn(text) === undefined)
  const unnamed = moneyColumns(isUnnamed)
  return unnamed.length === 0 ? undefined : { currency, named: moneyColumns(({ column }) => currencies.has(column)), unnamed }
}

/**
 * Decides between columns with the values of one field in different currencies, such as "Building (CAD)" and "Building Value".
 * @param known the currency of the import or of its account
 */
export function currencyChoice(all: readonly Amounts[], known: string | undefined) {
  const plausible = all.filter(isPlausible)
  const byTarget = Map.groupBy(plausible, ({ target }) => target)
  /** Fields whose columns all name one currency say that the schedule is in it. */
  const [named] = [...byTarget.values()].flatMap((columns) => {
    const [first, ...rest] = new Set(columns.map(({ currency }) => currency))
    return first !== undefined && rest.length === 0 ? [first] : []
  })
  const expected = known ?? named ?? PROPERTY_DEFAULTS.currency
  const rankOf = ({ currency }: Amounts): number =>
    currency === undefined ? 1 : currency === expected || mayMean(currency, expected) ? 2 : 0
  const rivals = (pair: Amounts): Amounts[] =>
    isMoneyField(pair.target)
      ? (byTarget.get(pair.target) ?? []).filter(
          ({ index, currency, period }) => index !== pair.index && currency !== pair.currency && period === pair.period,
        )
      : []
  return {
    /** Whether another column has the values in the currency of the schedule. A column without a currency may be a further part of a sum. */
    isInOther: (pair: Amounts, canAddUp: boolean): boolean =>
      rivals(pair).some((other) => {
        const isSame = rankOf(pair) > 0 && canAddUp && other.words !== pair.words
        return !isSame && rankOf(other) > rankOf(pair) && other.filled * 4 >= pair.filled
      }),
    /** Whether another column without a field has other values in another currency, so that a user must confirm this one. */
    isUncertain: (pair: Amounts, columns: readonly { cells: readonly Cell[] }[], chosen: ReadonlyMap<number, unknown>): boolean =>
      rivals(pair).some(({ index }) => !chosen.has(index) && !isDeepStrictEqual(columns[index]?.cells, columns[pair.index]?.cells)),
  }
}
