import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import type { PropertyValues } from '#contract/property-fields.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { dateAgo, type DemoContext } from './demo-context.ts'
import { addDocument, type DocumentFlags, renderDocument } from './documents.ts'
import { lossRun, statementOfValues } from './workbooks.ts'

/** `days` is its date in days before the demo's today, `about` the number of properties it is about. */
type BusyDocument = readonly [
  name: string,
  category: DocumentCategoryCode,
  days: number,
  author: string,
  about: number,
  flags?: DocumentFlags,
]

const DOCUMENTS: readonly BusyDocument[] = [
  ['SOV 2026-27 final.xlsx', 'sov', 24, 'Jordan Blake', 0, { vanity_name: 'Statement of values 2026-27' }],
  ['SOV 2025-26 expiring.xlsx', 'sov', 380, 'Jordan Blake', 0, { vanity_name: 'Statement of values 2025-26 (expiring)' }],
  ['ACORD 125 signed.pdf', 'application', 20, 'Jordan Blake', 0],
  ['ACORD 140 property section.pdf', 'application', 20, 'Jordan Blake', 0],
  ['Submission narrative 2026.pdf', 'submission_letter', 18, 'Jordan Blake', 0, { covers_all_properties: true }],
  ['Marketing memo internal.txt', 'submission_letter', 17, 'Jordan Blake', 0, { private: true }],
  ['Appraisal report Palm Desert.pdf', 'appraisal', 210, 'Keystone Valuation Group', 1],
  [
    'Appraisal report top ten locations.pdf',
    'appraisal',
    300,
    'Keystone Valuation Group',
    10,
    {
      vanity_name: 'Appraisal of the ten largest locations',
    },
  ],
  ['Valuation update office schedule.pdf', 'appraisal', 95, 'Keystone Valuation Group', 6],
  ['Valuation 2021 superseded.pdf', 'appraisal', 1_880, 'Keystone Valuation Group', 3],
  ['Loss control survey 1.pdf', 'risk_control', 130, 'Samuel Okafor, Granite Peak', 1],
  ['Loss control survey 2.pdf', 'risk_control', 128, 'Samuel Okafor, Granite Peak', 1],
  ['Loss control survey 3.pdf', 'risk_control', 121, 'Samuel Okafor, Granite Peak', 2],
  ['Engineering report distribution center.pdf', 'risk_control', 540, 'Samuel Okafor, Granite Peak', 1],
  ['Rec letter response.pdf', 'recommendation_response', 70, 'Dana Whitfield', 2],
  ['Loss run 5 years.xlsx', 'loss_run', 33, 'Granite Peak Insurance', 0],
  ['Claims summary 2026.pdf', 'loss_run', 33, 'Granite Peak Insurance', 0, { provided_by_broker: true }],
  ['Roof inspection north region.pdf', 'roof', 260, 'Summit Roofing Consultants', 4],
  ['Roof warranty.pdf', 'roof', 1_400, 'Summit Roofing Consultants', 1],
  ['Elevation certificate.pdf', 'flood', 900, 'R. Castellano, surveyor', 1],
  ['Flood zone determinations.pdf', 'flood', 410, 'Blueline Determinations', 8],
  ['Seismic PML report.pdf', 'seismic', 720, 'Hayward Structural', 5, { vanity_name: 'Seismic PML, Bay Area schedule' }],
  ['Structural retrofit letter.pdf', 'seismic', 1_250, 'Hayward Structural', 1],
  ['Phase I ESA.pdf', 'environmental', 640, 'Terra Assessment', 1],
  ['Property condition assessment.pdf', 'environmental', 505, 'Terra Assessment', 2],
  ['Sprinkler inspection NFPA 25 Q1.pdf', 'fire_protection', 190, 'Redline Fire Protection', 3],
  ['Sprinkler inspection NFPA 25 Q3.pdf', 'fire_protection', 31, 'Redline Fire Protection', 3],
  ['Alarm test certificate.pdf', 'fire_protection', 88, 'Redline Fire Protection', 1],
  ['Site map campus.png', 'plans', 420, 'Dana Whitfield', 2],
  ['Photo front elevation.png', 'photo', 60, 'Dana Whitfield', 1],
  ['Photo loading docks.png', 'photo', 60, 'Dana Whitfield', 1],
  ['Photo parking structure.png', 'photo', 58, 'Dana Whitfield', 1],
  ['Photo rooftop equipment.png', 'photo', 58, 'Dana Whitfield', 1],
  ['Photo lobby.png', 'photo', 57, 'Dana Whitfield', 1],
  ['Lease abstract anchor tenant.pdf', 'lease', 800, 'Pacific Crest Properties', 1],
  ['Purchase agreement excerpt.pdf', 'lease', 350, 'Pacific Crest Properties', 1],
  ['Business continuity plan.pdf', 'emergency_plan', 275, 'Pacific Crest Properties', 0, { covers_all_properties: true }],
  ['Financial statement 2025.pdf', 'financial', 200, 'Pacific Crest Properties', 0],
  ['Expiring policy and forms.pdf', 'policy', 365, 'Granite Peak Insurance', 0, { provided_by_broker: true }],
  ['Email updated schedule.eml', 'correspondence', 26, 'Dana Whitfield <client@plumbline.example>', 0],
  ['Letter of sold locations.txt', 'correspondence', 41, 'Dana Whitfield', 3],
  ['Notes from renewal meeting.txt', 'other', 15, 'Jordan Blake', 0],
]

const EXPIRING_TREND = 1 / 1.05
/** The register of last year lacks the locations bought since. */
const BOUGHT_SINCE = 24

interface Property {
  id: string
  values: Partial<PropertyValues>
}

/** Adds the documents of the busy account: workbooks, PDF, photos, mail and text, linked, dated and flagged. */
export async function addBusyDocuments(
  demo: DemoContext,
  uploader: WriteContext,
  accountId: string,
  register: readonly Property[],
): Promise<void> {
  const { random, now } = demo
  const values = register.map((property) => property.values)
  const largest = register.toSorted((a, b) => (b.values.building_value ?? 0) - (a.values.building_value ?? 0)).slice(0, 60)
  const render = (name: string, text: Parameters<typeof renderDocument>[1]) => {
    if (!name.endsWith('.xlsx')) return renderDocument(name, text)
    if (text.category === 'loss_run') return lossRun(random, values, now)
    return name.includes('expiring')
      ? statementOfValues('SOV 2025-26', values.slice(BOUGHT_SINCE), EXPIRING_TREND)
      : statementOfValues('SOV 2026-27', values)
  }
  for (const [name, category, days, author, about, flags] of DOCUMENTS) {
    const linked = Array.from({ length: about }, () => random.pick(largest))
    const date = dateAgo(days, now)
    const document = {
      name,
      category,
      content: await render(name, { category, date, author, properties: linked.map((property) => property.values) }),
      properties: [...new Set(linked.map(({ id }) => id))],
      flags: { ...flags, report_author_date: date },
    }
    await addDocument(demo, uploader, accountId, document, Math.max(12, Math.min(days, 150) - 2))
  }
}
