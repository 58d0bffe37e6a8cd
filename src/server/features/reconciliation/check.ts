import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { isPropertyField } from '#contract/account-properties.ts'
import { CheckSettings } from '#contract/check-settings.ts'
import { checkById, type CheckId, type CheckLevel, type Severity, CHECK_DEFAULTS } from '#contract/checks.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { VALUE_BAND_OTHER, VALUE_BANDS } from '#contract/property-vocabularies.ts'
import type { Reader } from '#server/access/viewer.ts'

/** What a check reads, `CheckedProperty` and `CheckContext`, and what it yields: a `Draft`, from which `toFinding` makes the finding. */

/** Extra columns of an import that may have a rebuilding cost, for DQ-17. The others can be large and are not read. */
const appraisalColumns = sql<Record<string, string> | null>`CASE WHEN custom <> '{}' THEN (SELECT jsonb_object_agg(key, value)
  FROM jsonb_each_text(custom) WHERE key ~* 'apprais|cost model|marshall|swift|mvs|core ?logic|360 ?value|e2value') END`

/** The live properties with the columns that the checks and the score read, but not the sources, which are most of a row's size. */
export const checkedValues = (db: Reader) =>
  db
    .selectFrom('account_properties')
    .select(['id', 'account_id', 'external_id', 'location_number', 'building_number', 'property_name', 'description', 'interest'])
    .select(['address', 'address_2', 'city', 'state', 'postal_code', 'country', 'address_key', 'weak_address_key'])
    .select(['latitude', 'longitude', 'geocode_level', 'construction_class', 'construction_original', 'year_built', 'stories'])
    .select(['floor_area', 'property_type', 'occupancy_original', 'sprinklered', 'percent_sprinklered', 'roof_year'])
    .select(['currency', 'building_value', 'contents_value', 'stock_value', 'machinery_value', 'edp_value', 'improvements_value'])
    .select(['bi_value', 'stated_tiv', 'tiv', 'valuation_basis', 'valuation_date', 'quality_score'])
    .select(appraisalColumns.as('appraisals'))
    .where('deleted_at', 'is', null)

/** The same with the sources. */
export const checkedProperties = (db: Reader) => checkedValues(db).select('sources')

export type CheckedProperty = Awaited<ReturnType<ReturnType<typeof checkedProperties>['executeTakeFirstOrThrow']>>

/**
 * What the comparisons of a register read. They need all properties at once, so this is what a run keeps of each. `pool` (`textPool`) is
 * for texts that many properties have.
 */
export type ComparedProperty = ReturnType<typeof comparedValues>
export const comparedValues = (property: CheckedProperty, pool = <T>(value: T): T => value) => {
  const { id, location_number, external_id, property_name, address, address_2, address_key, weak_address_key } = property
  const { latitude, longitude, year_built, stories, floor_area, building_value } = property
  const own = { id, location_number, external_id, property_name, address, address_2, address_key, weak_address_key, latitude, longitude }
  const shared = {
    account_id: pool(property.account_id),
    building_number: pool(property.building_number),
    city: pool(property.city),
    geocode_level: pool(property.geocode_level),
    construction_class: pool(property.construction_class),
    property_type: pool(property.property_type),
    currency: pool(property.currency),
  }
  return { ...own, ...shared, year_built, stories, floor_area, building_value, tiv: tivOf(property) }
}

export const tivOf = (property: Pick<CheckedProperty, 'tiv'>) => property.tiv ?? 0

/** Contents including their parts. */
export const contentsOf = ({ contents_value, stock_value, machinery_value, edp_value, improvements_value }: CheckedProperty) =>
  (contents_value ?? 0) + (stock_value ?? 0) + (machinery_value ?? 0) + (edp_value ?? 0) + (improvements_value ?? 0)

type Band = readonly [low: number, high: number]

/** What the checks depend on in addition to the properties: the rules in `companies.check_settings`, with defaults, and the day. */
export function checkContext(settings: unknown, today: string) {
  const own = CheckSettings.parse(settings)
  const bands: Readonly<Record<string, Band>> = { ...VALUE_BANDS, ...own.value_bands }
  return {
    /** The day of the run in the company's time zone, YYYY-MM-DD. */
    today,
    enabled: (check: CheckId) => own.checks?.[check]?.enabled ?? true,
    severity: (check: CheckId, level: CheckLevel): Severity =>
      own.checks?.[check]?.severity?.[level] ?? checkById(check).severity[level] ?? checkById(check).severity.usual,
    numbers: { ...CHECK_DEFAULTS, ...own.numbers },
    /** Building value per square foot in US dollars. */
    valueBand: (propertyType: string) => bands[propertyType] ?? VALUE_BAND_OTHER,
  }
}
export type CheckContext = ReturnType<typeof checkContext>

/** The day N months before another, both YYYY-MM-DD; the last day of the month if it is shorter. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, lastDay))).toISOString().slice(0, 10)
}

type Value = string | number | null

/** One side of a discrepancy: a value, its source and age, and the exact place (a cell, a page, another record). */
export const Side = z.object({
  source: z.string(),
  value: z.union([z.string(), z.number(), z.null()]),
  as_of: z.string().nullable(),
  ref: z.string().nullable(),
})
export type Side = z.output<typeof Side>

interface Details {
  /** `usual` unless given. */
  level?: CheckLevel
  right?: Side
  /** Right minus left, and as a share of left. */
  delta?: number
  deltaPct?: number
  /** Identifies the finding in later runs, where value and right are not enough. */
  identity?: string
}

/** One rule that one property breaks. */
export interface Draft extends Details {
  field: PropertyFieldName | null
  /** The value in the register that breaks the rule, or the values that do so together. */
  value: Value
  /** What is wrong, beginning with the name of the field, without a full stop. */
  problem: string
  /** What to do about it, as a sentence. */
  remedy: string
}

export const draft = (field: Draft['field'], value: Value, problem: string, remedy: string, details: Details = {}): Draft => ({
  field,
  value,
  problem,
  remedy,
  ...details,
})

/** The other side of a draft. */
export const side = (source: string, value: Value, ref: string | null = null): Side => ({ source, value, as_of: null, ref })

/** A draft with its check and property. */
export interface PropertyDraft {
  check: CheckId
  property: Pick<CheckedProperty, 'id'>
  draft: Draft
}

/**
 * The finding as its stored columns; the left value is always the register. `sources` are those of the property. The message is stored
 * without the cell of the value, which names a document: `place_at` says where `shownMessage` adds it.
 */
export function toFinding(
  { check, property, draft: found }: PropertyDraft,
  sources: CheckedProperty['sources'],
  { severity }: CheckContext,
) {
  const { as_of, ref } = provenance(sources, found.field)
  return {
    check_id: check,
    group_name: checkById(check).group,
    property_id: property.id,
    field: found.field,
    left_value: { source: 'register', value: found.value, as_of, ref },
    right_value: found.right ?? null,
    delta: found.delta ?? null,
    delta_pct: found.deltaPct ?? null,
    severity: severity(check, found.level ?? 'usual'),
    message: `${found.problem}. ${found.remedy}`,
    place_at: [...found.problem].length,
    fingerprint: fingerprintOf(check, property.id, found),
  }
}
export type Finding = ReturnType<typeof toFinding>

const Source = z.object({ source: z.string(), at: z.string().nullish(), ref: z.string().nullish() })

/** Where the register's value of a field came from, if that was stored. */
function provenance(sources: CheckedProperty['sources'], field: PropertyFieldName | null): { as_of: string | null; ref: string | null } {
  if (field === null || typeof sources !== 'object' || sources === null || Array.isArray(sources)) return { as_of: null, ref: null }
  const { data } = Source.safeParse(sources[field])
  return { as_of: data?.at ?? null, ref: data?.ref ?? null }
}

/**
 * Equal for equal check, property, field and values, so that a decision remains valid while other fields change. A changed value
 * makes a new discrepancy. 22 characters, 128 bits.
 */
function fingerprintOf(check: CheckId, propertyId: string, { field, value, right, identity }: Draft): string {
  const facts = identity === undefined ? [check, propertyId, field, normalize(value), normalize(right?.value)] : [check, identity]
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22)
}

const normalize = (value: Value | undefined) =>
  typeof value === 'string' ? value.trim().toLowerCase().replace(/\s+/g, ' ') : (value ?? null)

export const labelOf = (field: PropertyFieldName) => propertyField(field).label
/** The label of a stored field name; a name that is no longer a field is its own label. */
export const labelOfField = (field: string | null): string => (field !== null && isPropertyField(field) ? labelOf(field) : (field ?? ''))
