import { formatNumber } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { columnsWithFactor } from '#server/features/imports/pipeline/map/column-style.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { isDoubtfulUnit } from '#server/features/imports/pipeline/read/announced-unit.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { kindOf } from './cell-questions.ts'
import type { Tally } from './tally.ts'
import { factorOptions, isFullAlready, scaleQuestion, tooLargeNote } from './value-scale.ts'

type Question = Import['questions'][number]

interface Announced {
  plan: ReadPlan
  /** Texts that may announce the unit of the amounts. */
  titles: readonly string[]
  /** The one that does, with its place, if it is not above the header. */
  unit?: string | undefined
  /** The sheets and sections whose texts announce a factor, if others announce none or another one. */
  factorSheets?: readonly { name: string; factor: number }[]
  tally: Tally
}

export const unitOf = (factor: number) => (factor === 1_000 ? 'thousands' : 'millions')

const NAMES_MAX = 4

/** “A”, “B” and 3 more */
export function listNames(names: readonly string[]): string {
  const quoted = names.map((name) => `“${name}”`)
  const more = quoted.length - NAMES_MAX
  return more > 1 ? `${quoted.slice(0, NAMES_MAX).join(', ')} and ${formatNumber(more)} more` : quoted.join(', ')
}

/** Whether all values are in the unit that a text or a header announces, or seem to be in thousands. */
export function factorQuestion({ plan: { columns }, titles, unit: source, factorSheets = [], tally }: Announced): Question[] {
  const money = columns.filter(({ target }) => kindOf(target) === 'money')
  const announced = Math.max(
    1,
    ...money.map(({ header }) => normalizeHeader(header).factor),
    ...titles.map(factorOf),
    ...factorSheets.map((one) => one.factor),
  )
  // The register has full amounts, and so have its own lists.
  if (announced === 1) return columns.some(({ style }) => style.isOwn) ? [] : scaleQuestion(tally)
  const unit = unitOf(announced)
  const values = source === undefined ? `The values in the file are in ${unit}.` : `${source}: the values in the file are in ${unit}.`
  const factored = columnsWithFactor(columns, titles)
  const hasBuildings = factored.length === 0 || factored.some(({ target }) => target === 'building_value')
  const ofBuildings = factored.find(({ target }) => target === 'building_value')?.header
  const factor = ofBuildings === undefined ? announced : Math.min(announced, normalizeHeader(ofBuildings).factor)
  // In millions, `12,500` is 12.5.
  const haveDecimals = factor === 1_000_000 && money.some(({ style }) => style.threeDecimals)
  if (hasBuildings && factorSheets.length === 0 && !haveDecimals && isFullAlready(tally, factor)) {
    const says = source === undefined ? 'The file says' : `${source} says`
    const message = `${says} that its values are in ${unit}, but then most buildings would be worth more than a building can be, so the cells probably have full amounts. Import them as written?`
    return [{ constant: 'factor', suggestion: '1', message }]
  }
  const multiply = `Multiply every amount by ${formatNumber(announced)}?`
  const doubtful = factored.length === 0 ? titles.find(isDoubtfulUnit) : undefined
  if (doubtful !== undefined)
    return [
      { constant: 'factor', suggestion: null, message: `The file says “${doubtful}”. ${multiply}`, options: factorOptions([announced]) },
    ]
  const columnNames = factored.map(({ header }) => ({ name: header, factor: Math.min(announced, normalizeHeader(header).factor) }))
  const some = Map.groupBy([...columnNames, ...factorSheets], (one) => one.factor)
  const named = [...some].map(([key, names]) => `in ${listNames(names.map(({ name }) => name))} are in ${unitOf(key)}`)
  const factors = [...some.keys()].map((key) => formatNumber(key)).join(' and ')
  const message = named.length > 0 ? `The values ${named.join(', and those ')}. Multiply these by ${factors}?` : `${values} ${multiply}`
  const options = some.size > 1 ? { options: { [announced]: 'Yes, as the headers say' } } : {}
  const note = hasBuildings && factorSheets.length === 0 && !haveDecimals ? tooLargeNote(tally, factor) : ''
  if (note === '') return [{ constant: 'factor', suggestion: String(announced), message, ...options }]
  return [{ constant: 'factor', suggestion: null, message: message + note, options: { ...factorOptions([announced]), ...options.options } }]
}
