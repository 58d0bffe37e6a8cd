import { checkContext, toFinding, type CheckContext, type CheckedProperty, type Finding } from './check.ts'
import { checkProperty, checkRegister } from './check-register.ts'

export const TODAY = '2026-11-21'

export const contextOf = (settings: unknown = {}): CheckContext => checkContext(settings, TODAY)

let made = 0

/** A property without findings, with the changes of the test; its total is the sum of its values. */
export function soundProperty(changes: Partial<CheckedProperty> = {}): CheckedProperty {
  made += 1
  const property: CheckedProperty = {
    external_id: null,
    id: `019a0000-0000-7000-8000-${String(made).padStart(12, '0')}`,
    account_id: '019a0000-0000-7000-8000-aaaaaaaaaaaa',
    location_number: String(made),
    building_number: '1',
    property_name: `Building ${made}`,
    description: null,
    interest: 'owned',
    address: `${made} Main St`,
    address_2: null,
    city: 'Dallas',
    state: 'TX',
    postal_code: '75201',
    country: 'US',
    latitude: 32.78 + made * 0.001,
    longitude: -96.8,
    geocode_level: '2',
    construction_class: '4',
    construction_original: 'MNC',
    year_built: 1960 + (made % 60),
    stories: 2 + (made % 9),
    floor_area: 50_000 + made,
    property_type: 'office',
    occupancy_original: 'office',
    sprinklered: 'full',
    percent_sprinklered: 100,
    roof_year: null,
    currency: 'USD',
    building_value: 15_000_000 + made,
    contents_value: 500_000,
    stock_value: null,
    machinery_value: null,
    edp_value: null,
    improvements_value: null,
    bi_value: 250_000,
    stated_tiv: null,
    tiv: null,
    valuation_basis: 'rcv',
    valuation_date: '2026-01-01',
    address_key: `${made} MAIN ST|75201`,
    weak_address_key: `${made} MAIN ST|DALLAS|TX`,
    quality_score: null,
    sources: {},
    appraisals: null,
    ...changes,
  }
  return { ...property, tiv: changes.tiv ?? (property.building_value ?? 0) + (property.contents_value ?? 0) + (property.bi_value ?? 0) }
}

/** The findings of one property. */
export const checkOne = (property: CheckedProperty, settings: unknown = {}): Finding[] =>
  checkProperty(property, contextOf(settings)).map((found) => toFinding(found, property.sources, contextOf(settings)))

/** The findings of one property with these changes, each as "DQ-01 critical address". */
export const findingsOf = (changes: Partial<CheckedProperty>, settings: unknown = {}): string[] =>
  checkOne(soundProperty(changes), settings).map(({ check_id, severity, field }) => `${check_id} ${severity} ${field}`)

/** The findings of a whole register. */
export async function registerFindings(
  properties: CheckedProperty[],
  dismissedPairs: ReadonlySet<string> = new Set(),
  settings: unknown = {},
) {
  return checkRegister(properties, contextOf(settings), dismissedPairs)
}
