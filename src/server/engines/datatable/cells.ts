import { labelOf } from '#contract/code-lists.ts'
import type { Cell } from '#contract/datatable.ts'
import { formatBytes, formatDate, formatDecimal, formatExact, formatMoney, formatNumber, formatExactMoney } from '#contract/format.ts'

const cellOf = <T extends string | number>(value: T | null, format: (value: T) => string): Cell => ({
  value,
  text: value === null ? '' : format(value),
})

export const textCell = (value: string | null): Cell => cellOf(value, String)
export const wholeCell = (value: number | null): Cell => cellOf(value, formatNumber)
/** Years and similar numbers: no thousands separator. */
export const plainNumberCell = (value: number | null): Cell => cellOf(value, String)
/** A stored value that users edit, with every digit. */
export const exactCell = (value: number | null): Cell => cellOf(value, formatExact)
export const decimalCell = (value: number | null): Cell => cellOf(value, formatDecimal)
export const moneyCell = (value: number | null, currency: string | null = 'USD'): Cell =>
  cellOf(value, (amount) => formatMoney(amount, currency))
export const priceCell = (value: number | null): Cell => cellOf(value, formatExactMoney)
export const bytesCell = (value: number): Cell => cellOf(value, formatBytes)
export const labelCell = (value: string | null, labels: Readonly<Record<string, string>>): Cell =>
  cellOf(value, (code) => labelOf(code, labels))
/** A point in time as the date in the given time zone. */
export const dateCell = (value: Date | null, timezone: string): Cell =>
  cellOf(value?.toISOString() ?? null, (iso) => formatDate(iso, timezone))
/** A calendar date (YYYY-MM-DD), which has no time zone. */
export const plainDateCell = (value: string | null): Cell => cellOf(value, (date) => formatDate(date, 'UTC'))
