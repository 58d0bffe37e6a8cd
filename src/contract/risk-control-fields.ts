import { codesOf, labeledByCode, type CodeList } from './code-lists.ts'
import { PROPERTY_FIELDS, type PropertyFieldName, type ValueField } from './property-fields.ts'

/** The fields of a risk control report, for form, check, report and list: docs/domain.md, "Risk control reports". */

export const RISK_CONTROL_SECTIONS = {
  general: 'General',
  survey: 'Survey',
  opinions: 'Opinions',
  observed: 'Observed at the survey',
  water: 'Water supply',
  losses: 'Loss estimates',
  hazards: 'Natural hazards',
  summary: 'Summary',
} as const
export type RiskControlSection = keyof typeof RISK_CONTROL_SECTIONS

export const SURVEY_TYPES = labeledByCode('on_site', 'virtual', 'desktop', 'follow_up')
export const RATINGS = labeledByCode('excellent', 'good', 'fair', 'poor', 'unacceptable')
const HAZARD_LEVELS = labeledByCode('none', 'low', 'moderate', 'high')
const YES_NO = labeledByCode('yes', 'no')

export const OPINIONS = labeledByCode('construction', 'occupancy', 'protection', 'exposure', 'management', 'business_interruption')
export const HAZARDS = labeledByCode('flood', 'wind', 'earthquake', 'wildfire', 'hail', 'other')
export const LOSS_ESTIMATES = { pml: 'PML', mfl: 'MFL', nle: 'NLE' } as const
const LOSS_NAMES: Readonly<Record<keyof typeof LOSS_ESTIMATES, string>> = {
  pml: 'Probable maximum loss',
  mfl: 'Maximum foreseeable loss',
  nle: 'Normal loss expectancy',
}

/** What a survey observes of a building; stored as document facts and compared with the register. */
export const OBSERVED = [
  'year_built',
  'stories',
  'floor_area',
  'construction_class',
  'property_type',
  'sprinklered',
  'percent_sprinklered',
  'roof_year',
  'flood_zone',
] as const satisfies readonly PropertyFieldName[]
export type ObservedName = (typeof OBSERVED)[number]
export const observedField = (name: ObservedName): `observed_${ObservedName}` => `observed_${name}`

/** A survey can be planned this many years ahead. */
const NEXT_SURVEY_YEARS = 20

/** Kinds that properties do not have: a text with lines, an email address, and a date up to a number of years from now. */
type RiskControlKind = { kind: 'paragraphs'; max: number } | { kind: 'email'; max: number } | { kind: 'day'; yearsAhead: number }
export type RiskControlField = { section: RiskControlSection } & (
  ValueField | (Pick<ValueField, 'label' | 'level' | 'help'> & RiskControlKind)
)

type Definition = RiskControlField extends infer F ? (F extends unknown ? Omit<F, 'section' | 'label' | 'level'> : never) : never
const field = (
  label: string,
  section: RiskControlSection,
  kind: Definition,
  level: ValueField['level'] = 'optional',
): RiskControlField => ({
  label,
  section,
  level,
  ...kind,
})

const text = (max: number) => ({ kind: 'text', max }) as const
const paragraphs = (max: number) => ({ kind: 'paragraphs', max }) as const
const choice = (choices: CodeList) => ({ kind: 'choice', choices }) as const
const amount = (max: number) => ({ kind: 'number', min: 0, max }) as const
const LONG = paragraphs(10_000)
const NOTE = paragraphs(2_000)

const withText = <const N extends string>(names: Readonly<Record<N, string>>, section: RiskControlSection, choices: CodeList) =>
  Object.fromEntries(
    codesOf(names).flatMap((name) => [
      [`${name}_${section === 'hazards' ? 'hazard' : 'rating'}`, field(names[name], section, choice(choices))],
      [`${name}_${section === 'hazards' ? 'note' : 'opinion'}`, field(`${names[name]}: remarks`, section, NOTE)],
    ]),
  )

const observed = Object.fromEntries(
  OBSERVED.map((name) => {
    const { section: _section, importable: _importable, ...definition } = PROPERTY_FIELDS[name]
    return [observedField(name), { ...definition, section: 'observed', level: 'optional' } as const]
  }),
)

const losses = Object.fromEntries(
  codesOf(LOSS_ESTIMATES).flatMap((name) => [
    [`${name}_amount`, field(`${LOSS_NAMES[name]} (${LOSS_ESTIMATES[name]})`, 'losses', { kind: 'money' })],
    [`${name}_percent`, field(`${LOSS_ESTIMATES[name]} as % of TIV`, 'losses', { kind: 'percent' })],
  ]),
)

export const RISK_CONTROL_FIELDS: Readonly<Record<string, RiskControlField>> = {
  title: field('Title', 'general', text(160), 'required'),
  report_number: field('Report number', 'general', { ...text(40), help: 'If empty, the next number of the account.' }),
  overall_rating: field('Overall rating', 'general', choice(RATINGS)),
  survey_type: field('Survey type', 'survey', choice(SURVEY_TYPES)),
  survey_date: field('Survey date', 'survey', { kind: 'day', yearsAhead: 0 }, 'required'),
  report_date: field('Report date', 'survey', { kind: 'day', yearsAhead: 0 }),
  next_survey_due: field('Next survey due', 'survey', {
    kind: 'day',
    yearsAhead: NEXT_SURVEY_YEARS,
    help: 'If empty, 36 months after the survey.',
  }),
  surveyor: field('Surveyor', 'survey', text(120)),
  surveyor_company: field("Surveyor's company", 'survey', text(120)),
  carrier: field('Carrier', 'survey', text(120)),
  site_contact_name: field('Site contact', 'survey', text(120)),
  site_contact_phone: field('Phone of the contact', 'survey', text(40)),
  site_contact_email: field('Email of the contact', 'survey', { kind: 'email', max: 254 }),
  ...withText(OPINIONS, 'opinions', RATINGS),
  ...observed,
  static_psi: field('Static pressure (psi)', 'water', amount(1_000)),
  residual_psi: field('Residual pressure (psi)', 'water', amount(1_000)),
  flow_gpm: field('Flow (gpm)', 'water', amount(100_000)),
  water_test_date: field('Test date', 'water', { kind: 'day', yearsAhead: 0 }),
  water_adequate: field('Adequate', 'water', choice(YES_NO)),
  ...losses,
  ...withText(HAZARDS, 'hazards', HAZARD_LEVELS),
  executive_summary: field('Executive summary', 'summary', LONG),
  loss_history: field('Loss history', 'summary', LONG),
}
export const RISK_CONTROL_FIELD_NAMES: readonly string[] = codesOf(RISK_CONTROL_FIELDS)

/** The observed field without its prefix; undefined for other fields. */
export const observedName = (name: string): ObservedName | undefined => OBSERVED.find((known) => observedField(known) === name)
