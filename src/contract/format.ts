import { once } from './once.ts'

/**
 * How values are written for people, on the server and in the browser: sums of money without cents, sizes in units of 1,024, dates in the
 * company's time zone.
 */
const LOCALE = 'en-US'
const wholeNumber = once(() => new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 }))
const oneDecimal = once(() => new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 }))
const twoDecimals = once(() => new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 }))
const list = once(() => new Intl.ListFormat(LOCALE))
const everyDecimal = once(() => new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 }))

export const formatNumber = (value: number): string => wholeNumber().format(value)
export const PHONE_MASK = '+1 (###) ###-####'
/** The digits of a text in the mask, as far as they go. */
export function maskPhone(text: string): string {
  const digits = text.replace(/^\+1/, '').replace(/\D/g, '').slice(0, 10)
  const [area, exchange, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)]
  if (area === '') return ''
  return `+1 (${area}${exchange === '' ? '' : `) ${exchange}`}${line === '' ? '' : `-${line}`}`
}

/** "Ann, Bob, and Cy" */
export const formatList = (items: readonly string[]): string => list().format(items)
/** The shortest text for the number: formatted as a number, 0.1 would show the digits of its binary value. */
const asDecimal = (value: number) => String(value) as Intl.StringNumericLiteral // what String answers for finite numbers
/** Every digit of a stored number, "1,234,567.89", so that two different values never look alike. */
export const formatExact = (value: number): string => everyDecimal().format(asDecimal(value))
export const formatDecimal = (value: number): string => twoDecimals().format(value)

type MoneyStyle = Intl.NumberFormatOptions
const WHOLE_MONEY: MoneyStyle = { maximumFractionDigits: 0 }
const EXACT_MONEY: MoneyStyle = { minimumFractionDigits: 2, maximumFractionDigits: 20 }
const SHORT_MONEY: MoneyStyle = { notation: 'compact', maximumFractionDigits: 1 }

/** As for dates, there is one for each style and currency. */
const moneyFormatters = new Map<MoneyStyle, Map<string, Intl.NumberFormat>>(
  [WHOLE_MONEY, EXACT_MONEY, SHORT_MONEY].map((style) => [style, new Map()]),
)
function moneyText(value: number | Intl.StringNumericLiteral, currency: string | null, style: MoneyStyle): string {
  if (currency === null) return SEVERAL_CURRENCIES
  const byCurrency = moneyFormatters.get(style)
  const format = byCurrency?.get(currency) ?? new Intl.NumberFormat(LOCALE, { ...style, style: 'currency', currency })
  byCurrency?.set(currency, format)
  return format.format(value)
}

/** Instead of an amount that would add up several currencies. */
const SEVERAL_CURRENCIES = 'Several currencies'
/** "$1,200", or "CA$1,200" in Canadian dollars; no amount in several currencies, null. */
export const formatMoney = (value: number, currency: string | null = 'USD'): string => moneyText(value, currency, WHOLE_MONEY)
/** "$", or "CA$" for Canadian dollars. */
export const currencySymbol = (currency: string): string => formatMoney(0, currency).replace('0', '').trim()
/** "$1,200 and CA$900": sums in several currencies are never added. */
export const formatAmounts = (amounts: readonly { amount: number; currency: string }[]): string =>
  amounts.length === 0 ? formatMoney(0) : formatList(amounts.map(({ amount, currency }) => formatMoney(amount, currency)))
/** A stored or typed amount with its cents, if it has any: "$1,500" or "$1,500.75". Sums and tiles have whole units, see `formatMoney`. */
export const formatExactMoney = (value: number, currency = 'USD'): string =>
  Number.isInteger(value) ? formatMoney(value, currency) : moneyText(asDecimal(value), currency, EXACT_MONEY)
/** $1.2B: for tiles and labels where the whole number has no room. */
export const formatMoneyShort = (value: number, currency: string | null = 'USD'): string => moneyText(value, currency, SHORT_MONEY)

/** `plural(3, 'document')`: "3 documents"; irregular ones give their plural. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** 0 to 1 as a whole percentage. */
export const formatShare = (share: number): string => `${String(Math.round(share * 100))}%`

/** The percentage of a running task for display: at least 1, and at most 99, because 100 would say that it is done. */
export const formatProgress = (percent: number): number => Math.min(99, Math.max(1, Math.round(percent)))

/** The percentage of a download that is being prepared: 0 as 1, and 100 or more as 100. */
export const formatExportProgress = (percent: number): number => (percent >= 100 ? 100 : formatProgress(percent))

/** Names such as "the provider" at the beginning of a sentence. */
export const sentenceCase = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes in units of 1,024. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte'
  let value = bytes
  let unit = 0
  while (value >= 1_024 && unit < BYTE_UNITS.length - 1) {
    value /= 1_024
    unit += 1
  }
  return `${value < 10 && unit > 0 ? oneDecimal().format(value) : wholeNumber().format(value)} ${BYTE_UNITS[unit] ?? ''}`
}

type DateStyle = Intl.DateTimeFormatOptions
const DATE: DateStyle = { year: 'numeric', month: 'short', day: 'numeric' }
const TIME: DateStyle = { ...DATE, hour: 'numeric', minute: '2-digit' }
const EXACT: DateStyle = { ...TIME, timeZoneName: 'short' }

const NUMERIC: DateStyle = { year: 'numeric', month: '2-digit', day: '2-digit' }

/** Creating an Intl.DateTimeFormat costs more than using it a thousand times, so there is one for each style and zone. */
const formatters = new Map<DateStyle, Map<string, Intl.DateTimeFormat>>([DATE, TIME, EXACT, NUMERIC].map((style) => [style, new Map()]))
function formatter(zone: string, style: DateStyle): Intl.DateTimeFormat {
  const byZone = formatters.get(style)
  const format = byZone?.get(zone) ?? new Intl.DateTimeFormat(LOCALE, { ...style, timeZone: zone })
  byZone?.set(zone, format)
  return format
}

const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/

/** "Mar 4, 2026", the only style of dates; a day without a time is that day in every zone. */
export function formatDate(iso: string, zone: string): string {
  return formatter(DAY_ONLY.test(iso) ? 'UTC' : zone, DATE).format(new Date(iso))
}

/** The date at a moment in a time zone, YYYY-MM-DD. */
export function isoDateIn(moment: Date, zone: string): string {
  const [month, day, year] = formatter(zone, NUMERIC).format(moment).split('/')
  return `${year}-${month}-${day}`
}

/** The time zone of the computer, for pages without a sign-in; IANA name. */
export const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** "Mar 4, 2026, 2:05 PM" */
export const formatDateTime = (iso: string, zone: string): string => formatter(zone, TIME).format(new Date(iso))

/** "Mar 4, 2026, 2:05 PM EST", where the date alone is shown; undefined for a day without a time. */
export const formatExactTime = (iso: string, zone: string): string | undefined =>
  DAY_ONLY.test(iso) ? undefined : formatter(zone, EXACT).format(new Date(iso))

const relative = once(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }))
/** "in 12 days", "tomorrow", "today", "3 days ago" */
export const formatDays = (days: number): string => relative().format(Math.round(days), 'day')

const STEPS = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, 7],
] as const

/** "5 minutes ago", up to a week; then the date. */
export function formatAgo(iso: string, zone: string, now: number): string {
  const age = Math.max(0, now - Date.parse(iso))
  if (age < STEPS[0][1]) return 'just now'
  for (const [unit, ms, upTo] of STEPS) {
    const count = Math.floor(age / ms)
    if (count < upTo) return relative().format(-count, unit)
  }
  return formatDate(iso, zone)
}

/** The address that calls a number as people write it: "(415) 555-0148". */
export const telephoneLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`
