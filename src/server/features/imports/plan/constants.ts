import { countryFromText } from '#contract/countries.ts'
import { propertyField } from '#contract/property-fields.ts'
import { stateFromText } from '#contract/regions.ts'
import { styleOf, type StyleChoices } from '#server/features/imports/cells/column-style.ts'
import { readCell } from '#server/features/imports/cells/read-cell.ts'
import { isFieldName } from '#server/features/imports/headers/header-target.ts'
import { normaliseHeader } from '#server/features/imports/headers/normalise-header.ts'
import { put } from '#server/features/imports/rows/read-row.ts'
import type { RowFields } from '#server/features/imports/rows/row-fields.ts'
import { invalid } from '#server/kernel/errors.ts'

type Constants = Readonly<Record<string, string>>

/** How the file is read, where a person said so; the words on the wire and what they may be. */
const READING = {
  factor: ['1', '1000', '1000000'],
  area_unit: ['sqft', 'm2'],
  date_order: ['mdy', 'dmy'],
  construction_scheme: ['words', 'iso', 'oed', 'air', 'rms'],
  occupancy_scheme: ['words', 'oed', 'air', 'hazus', 'atc'],
} as const

const oneOf = <const T extends string>(words: readonly T[], text: string | undefined): T | undefined => words.find((word) => word === text)
const isoDay = (date: Date) => date.toISOString().slice(0, 10)

export function choicesOf(constants: Constants, now: Date): StyleChoices {
  return {
    factor: Number(oneOf(READING.factor, constants['factor']) ?? '1'),
    areaUnit: oneOf(READING.area_unit, constants['area_unit']),
    dateOrder: oneOf(READING.date_order, constants['date_order']),
    constructionScheme: oneOf(READING.construction_scheme, constants['construction_scheme']),
    occupancyScheme: oneOf(READING.occupancy_scheme, constants['occupancy_scheme']),
    today: isoDay(now),
  }
}

/** The constants that are values of fields, read as cells would be. Refuses what is not understood. */
export function fieldsOfConstants(constants: Constants, now: Date): RowFields {
  const fields: RowFields = {}
  for (const [name, text] of Object.entries(constants)) {
    if (text === '' || name in READING) {
      if (name in READING && text !== '' && !READING[name as keyof typeof READING].some((word) => word === text))
        throw invalid({ [name]: [`“${text}” is not possible here.`] }) // `in` has just said so
      continue
    }
    if (!isFieldName(name) || !propertyField(name).importable) throw invalid({ [name]: ['There is no such field.'] })
    put(fields, name, readConstant(name, text, constants['country'], now))
  }
  return fields
}

function readConstant(name: Parameters<typeof readCell>[1], text: string, country: string | undefined, now: Date): string | number {
  if (name === 'state') {
    const code = stateFromText(text, countryFromText(country ?? 'US') === 'CA' ? 'CA' : 'US') ?? stateFromText(text, 'CA')
    if (code !== undefined) return code
    throw invalid({ state: [`“${text}” is no state or province. Type its two-letter code.`] })
  }
  const { value, problem } = readCell(text, name, styleOf(normaliseHeader(''), [text], choicesOf({}, now)))
  if (value === null) throw invalid({ [name]: [problem?.message ?? `“${text}” is not understood.`] })
  return value
}
