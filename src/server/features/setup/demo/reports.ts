import { RiskControlInputSchema } from '#contract/risk-control.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { createReport } from '#server/features/risk-control/risk-control.record.ts'
import { dateAgo, type DemoContext } from './demo-context.ts'
import type { StoredProperty } from './store-register.ts'

const recommendations = (issued: string, due: readonly [sprinklers: string, electrical: string, permits: string]) => [
  {
    title: 'Repair the impaired sprinkler valve in the north stairwell',
    description: 'The control valve of riser 2 was found closed and untagged. Reopen it, test the main drain, and lock it open.',
    category: 'sprinklers',
    priority: 'critical',
    type: 'physical',
    issued_on: issued,
    due_on: due[0],
    responsible: 'Facility manager',
    cost_estimate: 18_000,
    loss_before: 24_000_000,
    loss_after: 6_500_000,
  },
  {
    title: 'Scan the electrical distribution with infrared every year',
    category: 'electrical',
    priority: 'important',
    type: 'human_element',
    issued_on: issued,
    due_on: due[1],
    cost_estimate: 4_200,
  },
  {
    title: 'Adopt a hot work permit for contractors',
    category: 'hot_work',
    priority: 'advisory',
    type: 'human_element',
    issued_on: issued,
    due_on: due[2],
  },
]

/** An issued report of the largest property and a draft of the next one, with recommendations that are overdue, due and open. */
export async function addReports(demo: DemoContext, tx: WriteContext, register: readonly StoredProperty[]): Promise<void> {
  const date = (days: number) => dateAgo(days, demo.now)
  const [first, second] = register.toSorted((a, b) => (b.values.building_value ?? 0) - (a.values.building_value ?? 0))
  const statuses = await tx.db
    .selectFrom('statuses')
    .select(['id', 'name'])
    .where('company_id', '=', tx.viewer.kind === 'user' ? tx.viewer.companyId : '')
    .where('model_type', '=', 'risk_control')
    .execute()
  const status = (name: string) => statuses.find((one) => one.name === name)?.id
  const add = (values: object) => createReport(tx, RiskControlInputSchema.parse(values))
  if (first === undefined || second === undefined) return
  const survey = { survey_type: 'on_site', surveyor: 'Dana Whitfield', surveyor_company: 'Whitfield Risk Engineering' }
  await add({
    ...survey,
    property_id: first.id,
    title: 'Property loss control survey',
    survey_date: date(70),
    report_date: date(62),
    status_id: status('Awaiting Response'),
    overall_rating: 'good',
    site_contact_name: 'Morgan Reyes',
    site_contact_phone: '(213) 555-0142',
    construction_rating: 'good',
    protection_rating: 'fair',
    protection_opinion: 'Sprinklers cover all floors. One riser was impaired at the time of the visit.',
    exposure_rating: 'fair',
    exposure_opinion: 'Earthquake is the driving exposure of this location.',
    observed_year_built: (first.values.year_built ?? 1990) - 5,
    observed_stories: first.values.stories,
    observed_sprinklered: 'full',
    static_psi: 78,
    residual_psi: 61,
    flow_gpm: 1_240,
    water_test_date: date(70),
    water_adequate: 'yes',
    pml_amount: 24_000_000,
    pml_percent: 18,
    mfl_amount: 96_000_000,
    mfl_percent: 72,
    nle_amount: 6_500_000,
    nle_percent: 5,
    earthquake_hazard: 'high',
    earthquake_note: 'Within 6 miles of a mapped fault.',
    flood_hazard: 'low',
    executive_summary:
      'A well kept building with good fire protection. The impaired riser is the one point that needs attention now; the other recommendations improve procedures.',
    recommendations: recommendations(date(62), [date(32), date(-9), date(-118)]),
  })
  await add({
    ...survey,
    property_id: second.id,
    title: 'Follow-up of the sprinkler retrofit',
    survey_type: 'virtual',
    survey_date: date(5),
    overall_rating: 'fair',
    recommendations: [{ title: 'Complete the sprinkler retrofit on the upper floors', category: 'sprinklers', priority: 'important' }],
  })
}
