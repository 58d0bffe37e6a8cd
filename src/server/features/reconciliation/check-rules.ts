import { CheckSettings, checkById, type CheckId, type CheckLevel, type CheckNumber, type Severity } from '#contract/checks.ts'
import { CHECK_DEFAULTS } from '#contract/limits.ts'
import { VALUE_BAND_OTHER, VALUE_BANDS } from '#contract/property-vocabularies.ts'

type Band = readonly [low: number, high: number]

/** The rules of one company: the defaults with its own changes laid over them. */
export interface CheckRules {
  enabled(check: CheckId): boolean
  severity(check: CheckId, level: CheckLevel): Severity
  numbers: Readonly<Record<CheckNumber, number>>
  /** Building value per square foot in US dollars. */
  valueBand(propertyType: string): Band
}

/** `settings` is companies.check_settings as stored; a check or number that it does not name keeps its default. */
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

/** What a check of the whole run knows beside the property. */
export interface CheckContext {
  rules: CheckRules
  /** The day of the run in the company's time zone, YYYY-MM-DD. */
  today: string
}
