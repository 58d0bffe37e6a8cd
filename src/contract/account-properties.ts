import { z } from 'zod'
import { AccountFile } from './account-files.ts'
import { SEVERITIES } from './checks.ts'
import { COUNTRIES } from './countries.ts'
import { isCurrency } from './currencies.ts'
import { codesOf } from './code-lists.ts'
import { Cell, RowBase } from './datatable.ts'
import { formatNumber } from './format.ts'
import {
  MONEY_MAX,
  PROPERTY_FIELDS,
  PROPERTY_FIELD_NAMES,
  YEAR_AHEAD,
  propertyField,
  type PropertyFieldName,
  type PropertyValues,
  type ValueField,
} from './property-fields.ts'
import { PropertyEdit, propertyHistoryCall } from './property-history.ts'
import { DIVESTED_REASONS } from './property-vocabularies.ts'
import { RecordBase, recordCalls } from './record.ts'
import { Id, call, json, latestDay, orNull, paragraphs, plausibleDay, text } from './route.ts'
import { searchInAccountCall } from './search.ts'

export const PropertyRow = RowBase.extend({
  account_id: Id,
  account_name: z.string(),
  location_number: Cell,
  building_number: Cell,
  property_name: Cell,
  address: Cell,
  city: Cell,
  state: Cell,
  postal_code: Cell,
  county: Cell,
  property_type: Cell,
  construction_class: Cell,
  year_built: Cell,
  stories: Cell,
  floor_area: Cell,
  sprinklered: Cell,
  building_value: Cell,
  contents_value: Cell,
  bi_value: Cell,
  tiv: Cell,
  currency: z.string(),
  documents: Cell,
  quality_score: Cell,
  discrepancies: Cell,
  status: Cell,
  updated_at: Cell,
  /** Open flags; null for viewers who cannot manage flags. */
  flags: z.number().nullable(),
  /** Restored when the reactivation of a divested property is undone; null for an active one. */
  divested: z.object({ divested_on: z.string(), divested_reason: z.string().optional(), divested_note: z.string().optional() }).nullable(),
  /** Sent with the change of a cell. */
  version: z.number().int(),
  /**
   * Open discrepancies of the property, and critical ones of the whole schedule (`widespread`), shown in the cells of their fields; null
   * for viewers who cannot see them, who get no score either.
   */
  findings: z
    .array(z.object({ field: z.string().nullable(), severity: z.enum(SEVERITIES), message: z.string(), widespread: z.boolean() }))
    .nullable(),
  /** How many open discrepancies it has that are about the whole schedule, which `discrepancies` leaves out. */
  schedule_findings: z.number().nullable(),
})
export type PropertyRow = z.output<typeof PropertyRow>

const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/
/** Texts as people write numbers; others, such as 0x10, 1e3 or blanks, would be numbers to the runtime only. A blank text is empty. */
const readNumber = (value: unknown): unknown => {
  const text = typeof value === 'string' ? value.trim() : value
  return typeof text === 'string' && PLAIN_NUMBER.test(text) ? Number(text) : text
}
const atLeast = (label: string, min: number) => z.number(`${label} must be a number.`).min(min, `${label} must be at least ${min}.`)
const numeric = (label: string, min: number, max: number) =>
  z.preprocess(readNumber, orNull(atLeast(label, min).max(max, `${label} must be at most ${formatNumber(max)}.`)))
const isWhole = (value: number | null) => value === null || Number.isInteger(value)
const rounded = (value: number | null) => (value === null ? null : Math.round(value))

/** Computed at each check: a server may run past the end of a year. */
const latestYear = () => new Date().getUTCFullYear() + YEAR_AHEAD
const CIRCA = /^(?:c|ca|circa)\.? *(?=\d{4}$)/i
const year = (label: string, min: number) =>
  z
    .preprocess((value) => readNumber(typeof value === 'string' ? value.trim().replace(CIRCA, '') : value), orNull(atLeast(label, min)))
    .refine((value) => value === null || value <= latestYear(), { error: () => `${label} must be at most ${latestYear()}.` })
    .refine(isWhole, 'Please enter a whole number.')

const isPast = (date: string) => date <= latestDay(0)
const dateField = (name: PropertyFieldName | undefined, label: string) =>
  plausibleDay(`${label} must be a date, YYYY-MM-DD.`).refine(
    // A purchase can be planned; values and everything else are facts.
    (date) => (name === 'acquired_on' ? Number(date.slice(0, 4)) <= latestYear() : isPast(date)),
    name === 'acquired_on' ? `${label} must be at most three years from now.` : `${label} must not be in the future.`,
  )

/** The length is checked first, and alone. */
const codeIn = (length: number, message: string) => z.string().trim().toUpperCase().length(length, { error: message, abort: true })

const collapseSpaces = (value: string) => value.replace(/[^\S\n]+/g, ' ')

/** The check of one field of the form and of one cell of an import, from the same definition. */
export function propertyFieldSchema(field: ValueField, name?: PropertyFieldName): z.ZodType {
  switch (field.kind) {
    case 'text': {
      const base = (name === 'description' ? paragraphs : text)(field.max).overwrite(collapseSpaces)
      return field.level === 'required' ? base.min(1, `${field.label} is required.`) : orNull(base)
    }
    case 'choice':
      return orNull(
        z
          .union([z.string(), z.number().transform(String)])
          .refine(
            (value) => Object.hasOwn(field.choices, value),
            `Please choose one of: ${Object.values(field.choices).slice(0, 8).join(', ')}.`,
          ),
      )
    case 'integer':
      return numeric(field.label, field.min, field.max).refine(isWhole, 'Please enter a whole number.')
    case 'number':
    case 'area':
      return numeric(field.label, field.min, field.max)
    case 'year':
      return year(field.label, field.min)
    case 'percent':
      return numeric(field.label, 0, 100)
    case 'money':
      return numeric(field.label, 0, MONEY_MAX).transform(rounded)
    case 'latitude':
      return numeric(field.label, -90, 90)
    case 'longitude':
      return numeric(field.label, -180, 180)
    case 'date':
      return orNull(dateField(name, field.label))
    case 'state':
    case 'postal_code':
      return orNull(text(12))
    case 'country':
      return codeIn(2, 'Please use the two-letter country code.').refine((code) => Object.hasOwn(COUNTRIES, code), {
        error: ({ input }) => `${String(input)} is not the code of a country. Please use a two-letter code such as US.`,
      })
    case 'currency':
      return codeIn(3, 'Please use the three-letter currency code.').refine(isCurrency, {
        error: ({ input }) => `${String(input)} is not the code of a currency. Please use a three-letter code such as USD.`,
      })
    default:
      return field satisfies never
  }
}

const fieldShape = Object.fromEntries(PROPERTY_FIELD_NAMES.map((name) => [name, propertyFieldSchema(propertyField(name), name).optional()]))

/** Any of the fields, because an update sends only changed ones. The command checks the property as a whole. */
const PropertyInput = z.strictObject({ account_id: Id, ...fieldShape }) as unknown as z.ZodType<
  { account_id: string } & Partial<PropertyValues>,
  { account_id: string } & Record<string, unknown>
> // the shape is built from PROPERTY_FIELDS, whose value types are PropertyValues
export const PropertyUpdate = z.strictObject({
  version: z.int('Please send the version of the property that you changed.'),
  id: Id.optional(),
  account_id: Id.optional(),
  edit: PropertyEdit.optional(),
  ...fieldShape,
}) as unknown as z.ZodType<
  { version: number; id?: string; edit?: PropertyEdit } & Partial<PropertyValues>,
  { version: number } & Record<string, unknown>
> // as above

export const DivestInput = z.strictObject({
  divested_on: plausibleDay('Please enter the date of divestment.').refine(isPast, 'The date of divestment must not be in the future.'),
  divested_reason: z.enum(codesOf(DIVESTED_REASONS), 'Please choose a reason.').default('other'),
  divested_note: paragraphs(500).optional(),
})

export const Property = RecordBase.extend({
  account_id: Id,
  account_name: z.string(),
  full_address: z.string(),
  status: z.enum(['active', 'divested']),
  divested_on: z.string().nullable(),
  divested_reason: z.string().nullable(),
  divested_note: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  /** Null if none of its values is known. */
  tiv: z.number().nullable(),
  quality_score: z.number().nullable(),
  custom: z.record(z.string(), z.string()),
  sources: z.record(z.string(), z.object({ source: z.string(), by: z.string().nullable(), at: z.string(), ref: z.string().nullable() })),
  /** Null, as the score, for viewers who cannot see discrepancies. */
  findings: z
    .array(
      z.object({
        id: Id,
        check_id: z.string(),
        field: z.string().nullable(),
        severity: z.enum(SEVERITIES),
        message: z.string(),
        /** It is one sentence about the whole schedule and is not counted in the list. */
        widespread: z.boolean(),
        /** The other property of a possible duplicate, which has the same discrepancy. */
        other: z.object({ id: Id, title: z.string() }).nullable(),
      }),
    )
    .nullable(),
  /** Linked to it; null for viewers who cannot see documents. */
  documents: z.number().nullable(),
  accessible_features: RecordBase.shape.accessible_features.extend({ divest: z.boolean() }),
})
export type Property = z.output<typeof Property>

export const isPropertyField = (name: string): name is PropertyFieldName => Object.hasOwn(PROPERTY_FIELDS, name)

const calls = recordCalls('account_properties', { row: PropertyRow, record: Property, input: PropertyInput, update: PropertyUpdate })

export const propertyCalls = {
  ...calls,
  form: { ...calls.form, query: z.looseObject({ account_id: Id.optional() }) },
  search: searchInAccountCall('account_properties', 'view_account_properties'),
  /** Answers the file, or the archive that is being prepared. */
  download: call(
    'POST',
    '/account_properties/:kind/download',
    'view_download_property_list_button',
    'The property list of an account, alone or with the documents of the properties',
    {
      params: z.strictObject({ kind: z.enum(['property-list', 'with-documents']) }),
      body: z.strictObject({ account_id: Id, ids: z.array(Id).min(1).max(10_000).optional() }),
      mayAnswerFile: true,
      output: json(AccountFile),
    },
  ),
  history: propertyHistoryCall,
}
