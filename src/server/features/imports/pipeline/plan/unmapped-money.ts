import type { Import } from '#contract/imports.ts'
import { addendReader, amountOf, findSums, saysTotal } from '#server/features/imports/pipeline/map/sum-columns.ts'
import { hasCurrency } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { cellText, isFilled, isLiteral, isYear as isYearText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { codesOfName, currencyIn } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { partOfYear } from '#server/features/imports/pipeline/read/part-of-year.ts'
import { withoutOne } from '#server/features/imports/pipeline/read/quantities.ts'
import { MONEY_WORDS, OTHER_WORDS, isNameOfValue, namesNumber } from '#server/features/imports/pipeline/read/value-names.ts'
import { hasUnclearDot } from '#server/features/imports/pipeline/validate/ambiguous-texts.ts'
import { excludesDollars } from '#server/features/imports/pipeline/validate/read-currency.ts'

/** Words of headers above codes that are as large as amounts. */
const CODES =
  /\b(key|index|serial|account|acct|folio|block|lot|tract|census|class|zone|tier|loan|vin|naics|sic|latitude|longitude|elev|height)\b/
/** Amounts below these words are never insured values. */
const OTHER_AMOUNTS = /\b(deductibles?|deduct|deds?|excess|retention|sir|premiums?|rate)\b/
/** Two amounts in a cell: `100,000 / 250,000`. */
const GROUPED = /\d{1,3}(?:,\d{3})+/
const isYear = (amount: number) => Number.isInteger(amount) && amount >= 1_800 && amount <= 2_100
const MULTIPLE = /^[\p{Sc}(\s-]*[\d.,]+\s*(k|mm?|mil|mio|million|bn)\.?\)?$/iu
/** Smaller numbers are codes, counts or factors. */
const AMOUNT_MIN = 1_000
/** Numbers below an unknown header are amounts from here on, if most of them are round. */
const LARGE_AMOUNT = 10_000
const ROUND = 100

/** Below a header of what may be counted, whole numbers up to this are counts, not values in thousands. */
const COUNT_MAX = 20
const COUNTED = /^(?:buildings?|structures?)$/

interface UnmappedColumn {
  index: number
  column: string
  header: string
  /** By a user. */
  isLeftOut?: boolean
  /** Left out of the values, but kept as a custom field. */
  isCustom?: boolean
  /** The currency that its header or its cells name, if it is known from the mapping. */
  currency?: string | undefined
}

/** The columns with the values that are imported, from 0, and the cells of the totals row of each sheet. */
interface FileFacts {
  amounts?: readonly number[]
  /** Of all columns, if those of the imported ones are known. */
  headers?: readonly string[]
  /** Empty unless every sheet has a totals row. */
  totalsRows?: readonly (readonly Cell[])[]
  /** The factor that the amounts below a header are written with, apart from the one that it announces. */
  fileFactor?: (header: string) => number
  /** The factor that the total below a header is multiplied by. */
  shownFactor?: (header: string) => number
}

/**
 * Adds up the columns without a field, row by row, and reports those that contain money, which would be missing in the register.
 * Amounts that formulas compute are rarely round, so a column that the totals rows add up is money, too. A column that adds up others is
 * not missing: those that are not imported are reported themselves. Nor are the parts of a sum that is imported.
 */
export function sumUnmapped(columns: readonly UnmappedColumn[], facts: FileFacts = {}) {
  const { amounts: imported = [], headers = [], totalsRows = [], fileFactor = () => 1, shownFactor = announcedFactor } = facts
  const isTotal = (index: number) => saysTotal(columns.find((column) => column.index === index)?.header ?? headers[index] ?? 'Total')
  const sums = findSums(
    columns.map(({ index }) => index),
    imported,
    isTotal,
  )
  const seen = columns.map((column) => seenColumn(column, fileFactor(column.header)))
  const add = (cells: readonly (Cell | undefined)[]) => {
    sums.add(addendReader(cells))
    for (const column of seen) addCell(column, cells[column.index])
  }
  const found = (): Import['unmapped_money'] => {
    const parts = sums.possibleParts()
    const included = sums.included()
    return seen.flatMap((column) => {
      const { index, column: letter, header, unknown, total, isLeftOut = false, isCustom = false } = column
      const isSum = sums.found().has(index) && (!isNameOfValue(header) || isTotal(index))
      if (isSum || included.has(index) || isOtherAmount(column) || (isLeftOut && isRate(column))) return []
      const isUnread = hasUnreadAmounts(column) || isRate(column)
      const isPart = parts.has(index) && total !== 0 && !namesNumber(column.words)
      if (!isUnread && !isPart && !hasMoney(column, totalsRows) && !isBesideValues(column, imported)) return []
      const isMixed = hasSeveralCurrencies(column)
      const hasTotal = unknown === 0 && !isUnread && !isMixed && !column.isOfOne
      return [
        {
          letter,
          header,
          total: hasTotal ? Math.round((total / column.factor) * shownFactor(header)) : null,
          currency: isMixed ? null : codeOf(column.currency ?? [...column.currencies][0]),
          ...(isRate(column) ? { per_area: true } : {}),
          ...(isLeftOut ? { left_out: true } : {}),
          ...(isCustom ? { custom_field: true } : {}),
        },
      ]
    })
  }
  return { add, found }
}

const announcedFactor = (header: string): number => normalizeHeader(header).factor

/** Null without one, and for a sign of several currencies. */
function codeOf(currency = ''): string | null {
  const [code, ...others] = codesOfName(currency)
  return code !== undefined && others.length === 0 ? code : null
}

function seenColumn(column: UnmappedColumn, fileFactor: number) {
  const { factor: announced, isPerArea, isOfOne, ...header } = normalizeHeader(column.header)
  const { words } = normalizeHeader(withoutOne(column.header))
  const isMoney = header.isMoney || isOfOne
  const isAmounts = (isMoney || MONEY_WORDS.test(words)) && !OTHER_WORDS.test(words) && !namesNumber(words)
  const factor = isAmounts ? Math.max(announced, fileFactor) : announced
  const counts = {
    filled: 0,
    worded: 0,
    unknown: 0,
    unread: 0,
    numbers: 0,
    amounts: 0,
    signed: 0,
    grouped: 0,
    large: 0,
    years: 0,
    uneven: 0,
    fractions: 0,
  }
  const named = currencyIn(column.header)
  /** Those that the header and the cells name. */
  const currencies = new Set(named === undefined ? [] : [named])
  return {
    ...column,
    words,
    announced,
    factor,
    isMoney,
    isPerArea,
    isOfOne,
    ...counts,
    currencies,
    dollars: 0,
    total: 0,
    lowest: Infinity,
    highest: -Infinity,
  }
}
type SeenColumn = ReturnType<typeof seenColumn>

function addCell(column: SeenColumn, written: Cell | undefined): void {
  if (!isFilled(written)) return
  // Lists of the product write custom fields as texts, which may be amounts.
  const cell = isLiteral(written) && column.isCustom ? written.literal : written
  if (typeof cell === 'object') {
    if (isLiteral(cell)) column.filled += 1
    else column.unknown += 1
    return
  }
  const text = cellText(cell)
  const isUnclear = typeof cell === 'string' && hasUnclearDot(text) && !hasCurrency(text)
  const number = isUnclear ? undefined : amountOf(cell, column.factor)
  column.filled += 1
  if (isUnclear) column.unknown += 1
  if (isUnclear) column.grouped += 1
  if (hasCurrency(text)) addCurrency(column, text)
  if (hasCurrency(text) || (MULTIPLE.test(text) && !namesNumber(column.words))) column.signed += 1
  if (number === undefined) {
    if (/\d/.test(text)) column.unread += 1
    else column.worded += 1
    if (GROUPED.test(text)) column.grouped += 1
    return
  }
  const amount = number * column.factor
  column.numbers += 1
  if (!Number.isInteger(amount)) column.fractions += 1
  if (Math.abs(amount) >= AMOUNT_MIN) column.amounts += 1
  if (Math.abs(amount) >= LARGE_AMOUNT && amount % ROUND === 0) column.large += 1
  if (isYear(amount)) column.years += 1
  if (isYear(amount) && amount % ROUND !== 0) column.uneven += 1
  column.total += amount
  column.lowest = Math.min(column.lowest, amount)
  column.highest = Math.max(column.highest, amount)
}

function addCurrency(column: SeenColumn, text: string): void {
  const currency = currencyIn(text)
  if (currency === undefined) column.dollars += 1
  else column.currencies.add(currency)
}

const hasSeveralCurrencies = ({ currencies, dollars }: SeenColumn): boolean =>
  currencies.size > 1 || (dollars > 0 && excludesDollars(currencies))

/** Numbers as small as counts and classes in a file in thousands, unless the header names a value. */
const areSmall = ({ header, words, isMoney, announced, factor, signed, highest }: SeenColumn): boolean =>
  factor > announced &&
  !isMoney &&
  signed === 0 &&
  highest <= COUNT_MAX * factor &&
  !isNameOfValue(header) &&
  !/\b(values?|costs?|amounts?)\b/.test(words)

/** Counts, deductibles, years of improvements, and one limit for all locations are no values of a location. */
function isOtherAmount(column: SeenColumn): boolean {
  const { words, isMoney, years, uneven, numbers, fractions, unread, amounts, signed, lowest, highest } = column
  if (COUNTED.test(words) && numbers > 0 && highest <= COUNT_MAX && lowest >= 0 && fractions + unread + signed === 0) return true
  if (areSmall(column)) return true
  if (uneven > 0 && years === amounts && signed === 0 && !isMoney) return true
  return OTHER_AMOUNTS.test(words) || (/\bblanket\b/.test(words) && amounts > 1 && lowest === highest)
}

/** The sum of amounts per area says nothing. */
const isRate = ({ isPerArea, filled, unknown, unread }: SeenColumn): boolean => isPerArea && filled > unknown + unread

/** Amounts in an unknown notation are money if they are written with a currency, or below the name of a value. */
const hasUnreadAmounts = ({ header, words, isMoney, filled, worded, unread, signed, grouped }: SeenColumn): boolean => {
  // `no change` is no amount.
  const written = filled - worded
  const isGrouped = grouped * 2 >= written && (isMoney || MONEY_WORDS.test(words)) && !namesNumber(words) && !OTHER_WORDS.test(words)
  return unread > 0 && unread * 2 >= written && (signed * 2 >= written || isGrouped || isNameOfValue(header))
}

function hasMoney(column: SeenColumn, totalsRows: readonly (readonly Cell[])[]): boolean {
  const { index, header, words, factor, filled, unknown, numbers, amounts, signed, large, total } = column
  // However small: the values may be in thousands.
  if (total !== 0 && numbers * 2 >= filled && isNameOfValue(header)) return true
  const isNamed =
    (column.isMoney || MONEY_WORDS.test(words) || isYearText(words)) && (!OTHER_WORDS.test(words) || partOfYear(header) !== undefined)
  // The amounts of formulas without a result are not known, and neither is the total.
  if (amounts === 0) return isNamed && !namesNumber(words) && unknown > filled
  const isAddedUp = amounts > 1 && !OTHER_WORDS.test(words) && addsUp(total / factor, filled, totalsRows, index)
  const isAmounts = ((isNamed || isAddedUp) && amounts * 2 >= filled) || large * 2 >= filled
  return signed * 2 >= filled || (isAmounts && (!namesNumber(words) || isNameOfValue(header)))
}

/** Amounts below an unknown header, next to the values that are imported. */
function isBesideValues({ index, words, numbers, amounts, years, filled, highest }: SeenColumn, imported: readonly number[]): boolean {
  const isBeside = index >= Math.min(...imported) - 1 && index <= Math.max(...imported) + 1
  const isOther = OTHER_WORDS.test(words) || namesNumber(words) || CODES.test(words)
  return isBeside && !isOther && years < numbers && amounts * 2 >= filled && highest >= LARGE_AMOUNT
}

/** Whether the totals rows state the sum of a column; every amount may be rounded by half a unit. */
function addsUp(total: number, filled: number, totalsRows: readonly (readonly Cell[])[], index: number): boolean {
  const stated = totalsRows.map((cells) => amountOf(cells[index]) ?? Number.NaN)
  return stated.length > 0 && Math.abs(stated.reduce((sum, amount) => sum + amount, 0) - total) <= filled / 2
}
