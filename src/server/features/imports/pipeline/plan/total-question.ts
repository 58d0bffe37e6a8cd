import type { Import } from '#contract/imports.ts'
import { isTivPart } from '#contract/property-fields.ts'
import type { PlannedColumn } from '#server/features/imports/pipeline/map/read-plan.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { Tally } from './tally.ts'

interface TotalFacts {
  constants: Readonly<Record<string, string>>
  plan: { columns: readonly PlannedColumn[] }
  tally: Tally
  /** The columns with money that are not mapped. */
  unmapped?: Import['unmapped_money']
}

/** These include all other values. */
const NAME_OF_TOTAL = /\b(tiv|tsi|total|sum)\b/i
/** The share of the rows with a total in which it exceeds the other values. */
const EXCEEDING_MIN = 0.9

/**
 * A total without building values is not an insured value, since it is not known of what. If it exceeds the other values in nearly all rows,
 * it is that of the buildings, or includes it. Columns of money without a mapping may have the difference, so these come first.
 */
export function totalQuestion({ constants, plan: { columns }, tally, unmapped = [] }: TotalFacts): Import['questions'] {
  const total = columns.find(({ target }) => target === 'stated_tiv')
  const parts = columns.filter(({ target }) => isTivPart(target))
  const hasBuildings = parts.some(({ target }) => target === 'building_value')
  if (!total || constants['tiv_column'] === 'stated_tiv' || hasBuildings || explainsTotal(total, unmapped, tally)) return []
  const isTotal = NAME_OF_TOTAL.test(total.header)
  const column = `Column ${total.column}, “${total.header}”,`
  const names = parts.map(({ header }) => `“${header}”`).join(', ')
  const question = { constant: 'tiv_column', suggestion: 'building_value', options: { stated_tiv: 'No, only as the total' } }
  if (parts.every(({ target }) => target === 'bi_value') && (parts.length === 0 || !isTotal)) {
    const others = parts.length === 0 ? '' : ` apart from ${names}`
    return [{ ...question, message: `${column} is the only amount that is mapped${others}. Import it as the building value?` }]
  }
  const { 'stated rows': stated = 0, 'stated above parts': above = 0 } = tally
  if (stated === 0 || above < stated * EXCEEDING_MIN) return []
  const others = parts.length === 1 ? names : `the sum of ${names}`
  const facts = `No column has building values, and column ${total.column}, “${total.header}”, exceeds ${others} in ${above === stated ? 'all' : 'nearly all'} rows.`
  if (!isTotal) return [{ ...question, message: `${facts} Import it as the building value?` }]
  const options = { stated_tiv: 'Yes, only as the total', building_value: 'No, as the building value' }
  return [{ ...question, suggestion: 'stated_tiv', message: `${facts} Import it only as the total?`, options }]
}

/** Whether columns without a mapping have most of what the mapped ones lack for the total; amounts that are not known may be any. */
function explainsTotal(
  { header }: PlannedColumn,
  unmapped: Import['unmapped_money'],
  { stated = 0, 'stated parts': parts = 0 }: Tally,
): boolean {
  // Where the total is that of the client, what was appraised is another total of the same values, like any recommendation.
  const isClients = normalizeHeader(header).source === 'client'
  const others = unmapped.filter((column) => {
    const { source } = normalizeHeader(column.header)
    return source !== 'recommended' && !(source === 'appraised' && isClients)
  })
  const sum = others.reduce((all, { total }) => all + (total ?? Infinity), 0)
  return sum > 0 && sum * 2 >= stated - parts
}
