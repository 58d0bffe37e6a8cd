import { columnOfFactor } from '#contract/column-factor.ts'
import type { ImportPatch } from '#contract/import-inputs.ts'
import { isContentsPart } from '#contract/property-fields.ts'
import { columnCurrencies, partCurrency } from '#server/features/imports/pipeline/map/column-currency.ts'
import type { Reader } from '#server/access/viewer.ts'
import { invalid } from '#server/kernel/errors.ts'
import { LEAVE_OUT, UNMAPPED_VALUES, valueColumns } from '#server/features/imports/pipeline/plan/unmapped-question.ts'
import { findIncludedParts } from '#server/features/imports/pipeline/plan/included-parts.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { currencyIn, mayMean } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { unclearFactors } from '#server/features/imports/staging/sheet-units.ts'
import type { ImportRecord } from './imports.queries.ts'

type Constants = ImportPatch['constants']

/**
 * The answer about columns of values without a mapping, as a change of the mapping: it is about these columns only.
 * @throws AppError invalid for an answer that the question does not have
 */
export function withUnmappedAnswer({ counts, mapping }: ImportRecord, patch: ImportPatch): ImportPatch {
  const { [UNMAPPED_VALUES]: answer, ...constants } = patch.constants ?? {}
  if (answer === undefined) return patch
  const options = counts.questions.find(({ constant }) => constant === UNMAPPED_VALUES)?.options ?? {}
  if (answer !== LEAVE_OUT && !Object.hasOwn(options, answer)) throw invalid({ [UNMAPPED_VALUES]: [`“${answer}” is not possible here.`] })
  const [letter = '', field = ''] = answer.split('=')
  const columns =
    answer === LEAVE_OUT
      ? valueColumns(counts.unmappedMoney, Object.values(mapping), counts.tally).map((column) => [column.letter, 'ignore'])
      : [[letter, field]]
  return { ...patch, constants, mapping: { ...Object.fromEntries(columns), ...patch.mapping } }
}

/** How answers change the mapping. */
export const answeredColumns = (before: ImportRecord, constants: Constants): Record<string, string> => ({
  ...totalAsBuilding(before, constants),
  ...columnsInCurrency(before, constants),
  ...includedParts(before, constants),
})

/** The answer that the only total is the building value changes the mapping of its column. */
function totalAsBuilding({ mapping }: ImportRecord, constants: Constants): Record<string, string> {
  const column = Object.keys(mapping).find((letter) => mapping[letter] === 'stated_tiv')
  return constants?.['tiv_column'] === 'building_value' && column !== undefined ? { [column]: 'building_value' } : {}
}

/** The answer that other columns include some parts of the contents leaves these out; without it they are mapped as proposed. */
function includedParts({ columns, mapping, counts, constants: before }: ImportRecord, constants = before): Record<string, string> {
  const isLeftOut = constants['included_parts'] === 'included'
  if (isLeftOut === (before['included_parts'] === 'included')) return {}
  if (!isLeftOut) {
    const proposed = columns.filter(({ column, target }) => mapping[column] === 'ignore' && isContentsPart(target ?? ''))
    return Object.fromEntries(proposed.map(({ column, target }) => [column, target ?? 'ignore']))
  }
  const mapped = columns.flatMap(({ column, header }) => {
    const target = mapping[column]
    return target !== undefined && isFieldName(target) ? [{ column, header, target }] : []
  })
  return Object.fromEntries((findIncludedParts(mapped, counts.tally)?.parts ?? []).map(({ column }) => [column, 'ignore']))
}

/** The answer about the currency leaves out the columns in another one; without it they are mapped as proposed. */
function columnsInCurrency({ columns, mapping, constants: before }: ImportRecord, constants = before): Record<string, string> {
  const { currency } = constants
  if (currency === before['currency']) return {}
  const staying = columns.filter(({ header }) => currency === undefined || mayMean(currencyIn(header) ?? currency, currency))
  const used = new Set(staying.map(({ column }) => mapping[column]))
  const isLeftOut = (letter: string, target: string) => mapping[letter] === 'ignore' && !used.has(target)
  const proposed = new Map(
    columns.flatMap(({ column, target }) => (target !== null && isLeftOut(column, target) ? [[column, target]] : [])),
  )
  const targetOf = (letter: string) => proposed.get(letter) ?? mapping[letter]
  const currencies = columnCurrencies(columns, targetOf)
  const part = partCurrency(columns, targetOf)
  const isMixed = new Set(currencies.values()).size > 1
  if (!isMixed && part === undefined) return {}
  const { currency: former } = before
  // Columns that a user has left out for another reason stay out.
  const isLeftOutByAnswer =
    former !== undefined && part?.named.every(({ column }) => proposed.has(column)) && !mayMean(part.currency, former)
  const others = [...currencies].filter(([, own]) => currency !== undefined && !mayMean(own, currency))
  const restored = isMixed || isLeftOutByAnswer ? [...proposed].filter(([letter]) => currencies.has(letter)) : []
  return Object.fromEntries([...restored, ...others.map(([letter]) => [letter, 'ignore'] as const)])
}

/** The unit of a column is an answer to the question about it, which may be given already. */
export async function assertColumnFactors(db: Reader, record: ImportRecord, constants: NonNullable<Constants>): Promise<void> {
  const { constants: before, counts, columns } = record
  for (const [name, value] of Object.entries(constants)) {
    const letter = columnOfFactor(name)
    if (letter === undefined || before[name] === value) continue
    const open = counts.questions.find(({ constant }) => constant === name)
    if (open === undefined && before[name] === undefined)
      throw invalid({ [name]: [`There is no question about the unit of column ${letter}.`] })
    const { header = '' } = columns.find(({ column }) => column === letter) ?? {}
    const possible = [1, normalizeHeader(header).factor, ...(open === undefined ? await unclearFactors(db, record) : [])]
    if (open?.options?.[value] === undefined && !possible.includes(Number(value)))
      throw invalid({ [name]: [`“${value}” is no answer to the question about column ${letter}.`] })
  }
}
