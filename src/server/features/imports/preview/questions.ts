import { propertyField } from '#contract/property-fields.ts'
import { isFieldName } from '#server/features/imports/headers/header-target.ts'
import { factorOf, normaliseHeader } from '#server/features/imports/headers/normalise-header.ts'
import type { ImportRecord, StoredCounts } from '#server/features/imports/import-record.ts'
import type { ReadPlan } from '#server/features/imports/rows/read-plan.ts'
import type { PreviewRow } from './read-rows.ts'

/** Below this a building is not worth its paint: the values are probably in thousands. */
const SMALLEST_VALUE_PER_SQUARE_FOOT = 2

type Questions = StoredCounts['questions']

/** What only a person can say: whether values are in thousands, which way dates are written, which scheme codes belong to. */
export function questionsOf(record: ImportRecord, plan: ReadPlan, titles: readonly string[], rows: readonly PreviewRow[]): Questions {
  return [...factorQuestion(record, titles, rows), ...dateQuestion(plan), ...schemeQuestions(record, plan)]
}

function dateQuestion({ columns }: ReadPlan): Questions {
  const column = columns.find(({ target, style }) => isFieldName(target) && propertyField(target).kind === 'date' && style.unclearDates)
  if (!column) return []
  return [
    {
      constant: 'date_order',
      suggestion: 'mdy',
      message: `Dates in column ${column.column} such as 3/4/2025 are read month first. Is that right?`,
    },
  ]
}

/** Codes are read by the scheme they look like, and the person is asked whether it is that one. */
function schemeQuestions({ constants }: ImportRecord, { columns }: ReadPlan): Questions {
  return columns.flatMap(({ target, column, style }) => {
    const [constant, scheme] =
      target === 'construction_class'
        ? (['construction_scheme', style.constructionScheme] as const)
        : target === 'property_type'
          ? (['occupancy_scheme', style.occupancyScheme] as const)
          : []
    if (constant === undefined || constants[constant] !== undefined || scheme === 'words' || scheme === 'iso' || scheme === 'hazus')
      return []
    return [
      {
        constant,
        suggestion: scheme,
        message: `Column ${column} holds codes that are read as ${scheme.toUpperCase()} codes. Is that right?`,
      },
    ]
  })
}

function factorQuestion(record: ImportRecord, titles: readonly string[], rows: readonly PreviewRow[]): Questions {
  if (record.constants['factor'] !== undefined) return []
  const headers = record.columns.filter(({ column }) => isMoney(record.mapping[column] ?? '')).map(({ header }) => header)
  const announced = Math.max(1, ...headers.map((header) => normaliseHeader(header).hints.factor), ...titles.map(factorOf))
  if (announced > 1) {
    const words = announced === 1_000 ? 'thousands' : 'millions'
    return [
      {
        constant: 'factor',
        suggestion: String(announced),
        message: `The file says that its values are in ${words}. Multiply every amount by ${announced.toLocaleString('en-US')}?`,
      },
    ]
  }
  const perFoot = rows
    .flatMap(({ fields }) => (fields.building_value && fields.floor_area ? [fields.building_value / fields.floor_area] : []))
    .sort((a, b) => a - b)
  const median = perFoot[Math.floor(perFoot.length / 2)]
  if (median === undefined || median >= SMALLEST_VALUE_PER_SQUARE_FOOT) return []
  return [
    {
      constant: 'factor',
      suggestion: '1000',
      message: 'Half of the buildings are worth less than 2 per square foot. Are the values in thousands?',
    },
  ]
}

const isMoney = (target: string) => isFieldName(target) && propertyField(target).kind === 'money'
