import { CheckSettings, numberText, storedNumber } from '#contract/check-settings.ts'
import { CHECK_IDS, checkById, type CheckId, type CheckLevel, type Severity, CHECK_DEFAULTS } from '#contract/checks.ts'
import { codesOf } from '#contract/code-lists.ts'
import { formatDecimal } from '#contract/format.ts'
import { PROPERTY_TYPES, VALUE_BANDS, VALUE_BAND_OTHER } from '#contract/property-vocabularies.ts'

/** What the fields show, by the path of each in the settings: on or off as '1' or '', numbers as typed. */
export type CheckValues = Readonly<Record<string, string>>

export const pathOf = {
  enabled: (id: CheckId) => `checks.${id}.enabled`,
  severity: (id: CheckId, level: CheckLevel) => `checks.${id}.severity.${level}`,
  number: (name: keyof typeof CHECK_DEFAULTS) => `numbers.${name}`,
  band: (type: string, end: 0 | 1) => `value_bands.${type}.${end}`,
}

/** The property types whose value per square foot is checked. */
export const BAND_TYPES = codesOf(PROPERTY_TYPES).filter((type) => type !== 'utility')
export const levelsOf = (id: CheckId): CheckLevel[] => codesOf(checkById(id).severity)
const NUMBER_NAMES = codesOf(CHECK_DEFAULTS)
const usualBand = (type: string) => VALUE_BANDS[type] ?? VALUE_BAND_OTHER

/** The fields for these settings; everything that they don't have is as usual. */
export function checkValues({ checks = {}, numbers = {}, value_bands: bands = {} }: CheckSettings): CheckValues {
  const values: Record<string, string> = {}
  for (const id of CHECK_IDS) {
    values[pathOf.enabled(id)] = checks[id]?.enabled === false ? '' : '1'
    for (const level of levelsOf(id))
      values[pathOf.severity(id, level)] = checks[id]?.severity?.[level] ?? checkById(id).severity[level] ?? 'info'
  }
  for (const name of NUMBER_NAMES) values[pathOf.number(name)] = numberText(name, numbers[name] ?? CHECK_DEFAULTS[name])
  for (const type of BAND_TYPES)
    for (const end of [0, 1] as const) values[pathOf.band(type, end)] = formatDecimal((bands[type] ?? usualBand(type))[end])
  return values
}

export const USUAL_VALUES = checkValues({})

/** NaN for what is no number. */
const numberOf = (text = ''): number => (text.trim() === '' ? NaN : Number(text.replace(/[,$%\s]/g, '')))

/** The settings for the fields, with only what differs from the usual rules, or the error of each field by its path. */
export function parseCheckValues(values: CheckValues): { settings: CheckSettings } | { errors: Readonly<Record<string, string>> } {
  const isUsual = (path: string) => values[path] === USUAL_VALUES[path]
  const checks = CHECK_IDS.flatMap((id) => {
    const changed = levelsOf(id).filter((level) => !isUsual(pathOf.severity(id, level)))
    const severity = Object.fromEntries(changed.map((level) => [level, values[pathOf.severity(id, level)] as Severity])) // a choice of the list
    const isOff = values[pathOf.enabled(id)] === ''
    if (!isOff && changed.length === 0) return []
    return [[id, { ...(isOff && { enabled: false }), ...(changed.length > 0 && { severity }) }]]
  })
  const numbers = NUMBER_NAMES.filter((name) => !isUsual(pathOf.number(name))).map((name) => [
    name,
    storedNumber(name, numberOf(values[pathOf.number(name)])),
  ])
  const bands = BAND_TYPES.filter((type) => !isUsual(pathOf.band(type, 0)) || !isUsual(pathOf.band(type, 1))).map((type) => [
    type,
    ([0, 1] as const).map((end) => Math.round(numberOf(values[pathOf.band(type, end)]) * 100) / 100),
  ])
  const parsed = CheckSettings.safeParse({
    ...(checks.length > 0 && { checks: Object.fromEntries(checks) }),
    ...(numbers.length > 0 && { numbers: Object.fromEntries(numbers) }),
    ...(bands.length > 0 && { value_bands: Object.fromEntries(bands) }),
  })
  if (parsed.success) return { settings: parsed.data }
  return { errors: Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])) }
}
