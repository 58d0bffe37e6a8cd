import { sql, type RawBuilder } from 'kysely'

const DIGITS = 15
const NUMBER = '^[0-9]+$'
/** What is before the first number, its first digits, and the rest. */
const PARTS = `^([^0-9]*)([0-9]{0,${DIGITS}})(.*)$`

/** The keys of the natural order of texts: the number that a text is, and a text that sorts like any other text. One of them is empty. */
interface NaturalKeys {
  first: RawBuilder<unknown>
  by: RawBuilder<unknown>
}

/**
 * SQL: the natural order of a column of texts. Numbers come first, by their value, so that `01` and `1` are equal; then other texts without
 * regard to case, in which the first number counts by its value: `A2` before `A10`. `compareNatural` has the same order.
 */
export function naturalKeys(column: string): NaturalKeys {
  const text = sql.ref(column)
  // To count the digits in the pattern takes PostgreSQL two and a half times as long.
  const isNumber = sql`(${text} ~ ${sql.lit(NUMBER)} AND length(${text}) <= ${sql.lit(DIGITS)})`
  // Taken apart once for each text, which takes a third of the time of three substrings.
  const padded = sql`(SELECT part[1] || lpad(part[2], ${sql.lit(DIGITS)}, '0') || part[3]
    FROM (SELECT regexp_match(lower(${text}), ${sql.lit(PARTS)}) AS part OFFSET 0) AS parts)`
  return {
    first: sql`(CASE WHEN ${isNumber} THEN ${text}::bigint END)`,
    by: sql`(CASE WHEN NOT ${isNumber} THEN ${padded} END) COLLATE "C"`,
  }
}

/** SQL: the natural order for ORDER BY, empty values last. */
export function naturalOrder(column: string): RawBuilder<unknown> {
  const { first, by } = naturalKeys(column)
  return sql`${first} NULLS LAST, ${by} NULLS LAST`
}

const [IS_NUMBER, ITS_PARTS] = [new RegExp(NUMBER), new RegExp(PARTS, 's')]

const isNumber = (text: string): boolean => IS_NUMBER.test(text) && text.length <= DIGITS

const padDigits = (text: string): string =>
  text
    .toLowerCase()
    .replace(ITS_PARTS, (_all, before: string, digits: string, after: string) => before + digits.padStart(DIGITS, '0') + after)

/** The order of `naturalOrder`, for values that are sorted outside of the database. */
export function compareNatural(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const [aIsNumber, bIsNumber] = [isNumber(a), isNumber(b)]
  if (aIsNumber && bIsNumber) return Number(a) - Number(b)
  if (aIsNumber || bIsNumber) return aIsNumber ? -1 : 1
  return Buffer.compare(Buffer.from(padDigits(a)), Buffer.from(padDigits(b)))
}
