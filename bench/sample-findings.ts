import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { checkById, type Severity, WIDESPREAD_COUNT_MIN, WIDESPREAD_SHARE } from '#contract/checks.ts'
import type { PropertyValues } from '#contract/property-fields.ts'
import { checkRegister } from '#server/features/reconciliation/check-register.ts'
import { checkContext, type CheckedProperty, type Finding } from '#server/features/reconciliation/check.ts'
import { readSample } from '#server/features/imports/imports.fixture.ts'

/**
 * Prints findings of the checks on a spreadsheet, for a person to judge against the rows of the file:
 *
 *     node bench/sample-findings.ts [--sample 50] [--seed 1] [--today 2026-11-22] [--set city=Minot] [--check DQ-09] <file>
 *
 * The file is read with the mapping that an import proposes, and is not stored. `--set` gives every row a value that the file lacks.
 * The sample is drawn separately from critical findings and warnings, and is the same for the same seed. Findings of a check that hits
 * most properties are one sentence for a user, so they are counted but not drawn.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    today: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    set: { type: 'string', multiple: true, default: [] },
    check: { type: 'string' },
  },
})

const SHOWN = [
  ...(['location_number', 'building_number', 'property_name', 'interest', 'address', 'address_2', 'city', 'state', 'postal_code'] as const),
  ...(['latitude', 'longitude', 'construction_class', 'construction_original', 'year_built', 'stories', 'floor_area'] as const),
  ...(['property_type', 'occupancy_original', 'building_value', 'contents_value', 'bi_value', 'stated_tiv', 'valuation_date'] as const),
]

/** The columns that the checks read and a file can leave empty. */
const OPTIONAL = [
  ...(['location_number', 'property_name', 'description', 'interest', 'address_2', 'state', 'postal_code', 'geocode_level'] as const),
  ...(['latitude', 'longitude', 'construction_class', 'construction_original', 'year_built', 'stories', 'floor_area'] as const),
  ...(['occupancy_original', 'percent_sprinklered', 'roof_year', 'building_value', 'contents_value', 'stock_value'] as const),
  ...(['machinery_value', 'edp_value', 'improvements_value', 'bi_value', 'stated_tiv', 'valuation_basis', 'valuation_date'] as const),
]
type Optional = (typeof OPTIONAL)[number]

const path = positionals[0] ?? ''
const constants = Object.fromEntries(options.set.map((pair) => pair.split('=')))
const { read } = await readSample(path, { constants })
// A row without a required field cannot be stored; a bad optional cell is empty.
const properties = (read ?? []).filter(({ fields }) => Boolean(fields.address && fields.city)).map(propertyOf)
const byId = new Map(properties.map((property) => [property.id, property]))

const context = checkContext({}, options.today)
await checkRegister(properties, context, new Set())
const startedAt = performance.now()
const findings = await checkRegister(properties, context, new Set())
console.log(`${basename(path)}: ${properties.length} rows, ${findings.length} findings, ${Math.round(performance.now() - startedAt)} ms`)

const hit = [...Map.groupBy(findings, ({ check_id }) => check_id)].toSorted(([one], [other]) => (one < other ? -1 : 1))
const shared = new Set<string>()
for (const [check, all] of hit) {
  const count = new Set(all.map(({ property_id }) => property_id)).size
  if (count > WIDESPREAD_SHARE * properties.length && count >= WIDESPREAD_COUNT_MIN) shared.add(check)
  const severities = Object.entries(Object.groupBy(all, ({ severity }) => severity)).map(([name, those]) => `${those.length} ${name}`)
  console.log(
    `${check} ${checkById(check).name}: ${count} properties, ${severities.join(', ')}${shared.has(check) ? ' (one sentence)' : ''}`,
  )
}

for (const severity of ['critical', 'warning'] as const) {
  const drawn = draw(findings.filter(isDrawn(severity)), Number(options.sample), Number(options.seed))
  console.log(`\n## ${severity}: ${drawn.length} of ${findings.filter(isDrawn(severity)).length}`)
  for (const [at, finding] of drawn.entries()) console.log(`${at + 1}. ${describe(finding)}`)
}

function isDrawn(severity: Severity) {
  return ({ check_id, severity: own }: Finding) =>
    own === severity && (options.check === undefined ? !shared.has(check_id) : check_id === options.check)
}

interface ReadRow {
  number: number
  fields: Partial<PropertyValues>
  custom: Record<string, string>
  keys: { strong: string | null; weak: string | null }
}

/** The row as a stored property, with the defaults of the database. */
function propertyOf({ number, fields, custom, keys }: ReadRow): CheckedProperty {
  // The type of Object.fromEntries has no names of keys.
  const optional = Object.fromEntries(OPTIONAL.map((name) => [name, fields[name] ?? null])) as Pick<CheckedProperty, Optional>
  const { building_value = 0, other_value = 0, contents_value = 0, stock_value = 0, machinery_value = 0 } = fields
  const { edp_value = 0, improvements_value = 0, bi_value = 0 } = fields
  const parts = [building_value, other_value, contents_value, stock_value, machinery_value, edp_value, improvements_value, bi_value]
  return {
    ...optional,
    id: `row ${String(number).padStart(6, '0')}`,
    account_id: 'account',
    external_id: fields.external_id ?? null,
    building_number: fields.building_number ?? '1',
    address: fields.address ?? '',
    city: fields.city ?? '',
    country: fields.country ?? 'US',
    address_key: keys.strong,
    weak_address_key: keys.weak,
    property_type: fields.property_type ?? 'unknown',
    sprinklered: fields.sprinklered ?? 'unknown',
    currency: fields.currency ?? 'USD',
    tiv: parts.reduce<number>((sum, part) => sum + (part ?? 0), 0),
    quality_score: null,
    sources: {},
    appraisals: custom,
  }
}

/** The same items for the same seed, in the order of the list. */
function draw<T>(items: readonly T[], count: number, seed: number): T[] {
  let state = seed
  // The generator of Park and Miller.
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const order = items.map((_item, at) => at)
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0]
  }
  return order
    .slice(0, count)
    .toSorted((one, other) => one - other)
    .flatMap((at) => items[at] ?? [])
}

/** The finding, and below it the facts of the row and of the row it is compared with. */
function describe({ check_id, message, property_id, right_value }: Finding): string {
  const rows = [property_id, right_value?.ref].flatMap((id) => (id === null || id === undefined ? [] : (byId.get(id) ?? [])))
  return [`${check_id} ${message}`, ...rows.map((row) => `     ${factsOf(row)}`)].join('\n')
}

function factsOf(row: CheckedProperty): string {
  return `${row.id}: ${SHOWN.map((name) => row[name] ?? '–').join(' | ')}`
}
