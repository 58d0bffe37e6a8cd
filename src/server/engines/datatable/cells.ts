import type { Cell } from '#contract/datatable.ts'

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const DECIMAL = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const formats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timezone, format)
  }
  return format
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes as people read them, in steps of 1,024. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${DECIMAL.format(Math.round((bytes / 1024 ** step) * 10) / 10)} ${UNITS[step]}`
}

export const formatWhole = (value: number): string => WHOLE.format(value)
export const formatMoney = (value: number): string => `$${WHOLE.format(value)}`

/** MM/DD/YYYY in the company's time zone. */
export const formatDate = (date: Date, timezone: string): string => dateFormat(timezone).format(date)

/** A pure date has no time zone. */
export const formatPlainDate = (date: string): string => `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`

export const textCell = (value: string | null): Cell => ({ value, text: value ?? '' })
export const wholeCell = (value: number | null): Cell => ({ value, text: value === null ? '' : WHOLE.format(value) })
/** Years and the like: no thousands separator. */
export const plainNumberCell = (value: number | null): Cell => ({ value, text: value === null ? '' : String(value) })
export const decimalCell = (value: number | null): Cell => ({ value, text: value === null ? '' : DECIMAL.format(value) })
export const moneyCell = (value: number | null): Cell => ({ value, text: value === null ? '' : formatMoney(value) })
export const bytesCell = (value: number): Cell => ({ value, text: formatBytes(value) })
export const labelCell = (value: string | null, labels: Readonly<Record<string, string>>): Cell => ({
  value,
  text: value === null ? '' : (labels[value] ?? value),
})
export const dateCell = (value: Date | null, timezone: string): Cell => ({
  value: value === null ? null : value.toISOString(),
  text: value === null ? '' : formatDate(value, timezone),
})
export const plainDateCell = (value: string | null): Cell => ({ value, text: value === null ? '' : formatPlainDate(value) })
