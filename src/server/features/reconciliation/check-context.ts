import { CheckSettings, checkById, type CheckId, type CheckLevel, type CheckNumber, type Severity } from '#contract/checks.ts'
import { CHECK_DEFAULTS } from '#contract/limits.ts'
import { VALUE_BAND_OTHER, VALUE_BANDS } from '#contract/property-vocabularies.ts'

type Band = readonly [low: number, high: number]

/** The rules of one company: the defaults with the company's own changes. */
export interface CheckRules {
  enabled(check: CheckId): boolean
  severity(check: CheckId, level: CheckLevel): Severity
  numbers: Readonly<Record<CheckNumber, number>>
  /** Building value per square foot in US dollars. */
  valueBand(propertyType: string): Band
}

/** What the checks of a run depend on, in addition to the properties. */
export interface CheckContext {
  rules: CheckRules
  /** The day of the run in the company's time zone, YYYY-MM-DD. */
  today: string
}

/** The rules from `companies.check_settings`; a check or number without an entry has its default. */
export function checkRules(settings: unknown): CheckRules {
  const own = CheckSettings.parse(settings)
  const bands: Readonly<Record<string, Band>> = { ...VALUE_BANDS, ...own.value_bands }
  return {
    enabled: (check) => own.checks?.[check]?.enabled ?? true,
    severity: (check, level) =>
      own.checks?.[check]?.severity?.[level] ?? checkById(check).severity[level] ?? checkById(check).severity.usual,
    numbers: { ...CHECK_DEFAULTS, ...own.numbers },
    valueBand: (propertyType) => bands[propertyType] ?? VALUE_BAND_OTHER,
  }
}

/** The day N months before another, both YYYY-MM-DD; the last day of the month if it is shorter. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, lastDay))).toISOString().slice(0, 10)
}
