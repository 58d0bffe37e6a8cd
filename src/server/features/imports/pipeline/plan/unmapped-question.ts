import { formatMoney, formatNumber } from '#contract/format.ts'
import { openMoney, type Import } from '#contract/imports.ts'
import { isTivPart, propertyField } from '#contract/property-fields.ts'
import type { PlannedColumn } from '#server/features/imports/pipeline/map/read-plan.ts'
import { isSummable } from '#server/features/imports/pipeline/map/rival-columns.ts'
import { isYear } from '#server/features/imports/pipeline/read/cells.ts'
import { isFieldName, isMoneyField } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { namesValue } from '#server/features/imports/pipeline/read/value-names.ts'
import { currenciesOf } from './summarize.ts'
import type { Tally } from './tally.ts'

type Unmapped = Import['unmapped_money']

/** The constant that answers which columns of values are left out. It is stored as a change of the mapping. */
export const UNMAPPED_VALUES = 'unmapped_values'
export const LEAVE_OUT = 'leave_out'

const COLUMNS_SHOWN = 6

/**
 * The columns without a mapping that contain values, by their headers, or all with amounts if no column with the values of buildings is mapped, or
 * if the total that the file states includes them. Amounts below a year are values of this year.
 */
export function valueColumns(unmapped: Unmapped, targets: readonly string[], tally: Tally): Unmapped {
  const open = openMoney(unmapped).filter(({ per_area }) => !per_area)
  const proved = provedColumns(open, tally)
  const hasValues = targets.includes('building_value') || (targets.includes('stated_tiv') && targets.some(isTivPart))
  return open.filter((column) => !hasValues || proved.includes(column) || namesValue(column.header) || isYear(column.header))
}

/** The columns that have exactly what the values of the rows lack for the totals of the rows. Each amount may be rounded by half a unit. */
function provedColumns(columns: Unmapped, { stated = 0, 'stated parts': parts = 0, 'stated rows': rows = 0 }: Tally): Unmapped {
  const missing = stated - parts
  const isExact = (some: Unmapped) =>
    Math.abs(some.reduce((sum, { total }) => sum + (total ?? Number.NaN), 0) - missing) <= (rows * some.length) / 2
  return missing <= rows ? [] : ([columns, ...columns.map((column) => [column])].find(isExact) ?? [])
}

const tokensOf = (header: string): string[] => normalizeHeader(header).words.split(' ')

/**
 * A field for the values of a column, by its header: one that no other column has, or one that adds up several. Columns of one field with a
 * word in common are two versions of a value, such as `Bound Contents` and `Proposed Contents`, and are not added up.
 */
function fieldFor(header: string, columns: readonly PlannedColumn[]) {
  const words = new Set(tokensOf(header))
  const isFree = (target: string) => {
    const mapped = columns.filter((column) => column.target === target)
    return mapped.length === 0 || (isSummable(target) && !mapped.some((column) => tokensOf(column.header).some((word) => words.has(word))))
  }
  const { target } = scoreHeader(normalizeHeader(header)).find((name) => isMoneyField(name.target) && isFree(name.target)) ?? {}
  return target !== undefined && isFieldName(target) && target !== 'stated_tiv' ? target : undefined
}

/** Columns whose headers name a value would be missing in the register: a user chooses their fields, or leaves them out. */
export function unmappedQuestion(unmapped: Unmapped, columns: readonly PlannedColumn[], tally: Tally): Import['questions'] {
  const values = valueColumns(
    unmapped,
    columns.map(({ target }) => target),
    tally,
  )
  if (values.length === 0) return []
  const [only, ...others] = currenciesOf(tally).keys()
  const worth = ({ total, currency }: Unmapped[number]) => {
    if (total === null) return 'not all amounts can be added up'
    return currency === null && only === undefined
      ? formatNumber(total)
      : formatMoney(total, currency ?? (others.length === 0 ? only : null))
  }
  const names = values
    .slice(0, COLUMNS_SHOWN)
    .map((column) => `${column.letter}, ${column.header === '' ? 'without a name' : `“${column.header}”`} (${worth(column)})`)
  const more = values.length > COLUMNS_SHOWN ? `; and ${formatNumber(values.length - COLUMNS_SHOWN)} more` : ''
  const facts =
    values.length === 1
      ? `Column ${names.join()} is not mapped, so its amounts will not be imported.`
      : `These columns are not mapped, so their amounts will not be imported: ${names.join('; ')}${more}.`
  const [it, field] = values.length === 1 ? ['it', 'its field above the column'] : ['them', 'their fields above the columns']
  const fields = values.flatMap(({ letter, header }) => {
    const target = fieldFor(header, columns)
    return target === undefined ? [] : [[`${letter}=${target}`, `No, import ${letter} as ${propertyField(target).label}`] as const]
  })
  const options = { [LEAVE_OUT]: `Yes, leave ${it} out`, ...Object.fromEntries(fields) }
  return [{ constant: UNMAPPED_VALUES, suggestion: null, message: `${facts} Leave ${it} out? Otherwise, choose ${field}.`, options }]
}
