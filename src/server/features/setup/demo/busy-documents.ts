import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import type { PropertyValues } from '#contract/property-fields.ts'
import { dayAgo } from './days.ts'
import { mailPaper, pdfPaper, textPaper, type Paper } from './papers.ts'
import { drawBuilding } from './png.ts'
import { lossRun, statementOfValues } from './sheets.ts'
import { remember, type Stage } from './stage.ts'
import { storeDocument, type NewDocument } from './store-document.ts'

type Flags = NonNullable<NewDocument['flags']>

interface Draft {
  name: string
  category: DocumentCategoryCode
  /** Its date, in days before the demo's today. */
  days: number
  author: string
  /** How many properties it is about. */
  about: number
  flags?: Flags
}

const draft = (name: string, category: DocumentCategoryCode, days: number, author: string, about: number, flags?: Flags): Draft => ({
  name,
  category,
  days,
  author,
  about,
  ...(flags && { flags }),
})

const DRAFTS: readonly Draft[] = [
  draft('SOV 2026-27 final.xlsx', 'sov', 24, 'Jordan Blake', 0, { vanity_name: 'Statement of values 2026-27' }),
  draft('SOV 2025-26 expiring.xlsx', 'sov', 380, 'Jordan Blake', 0, { vanity_name: 'Statement of values 2025-26 (expiring)' }),
  draft('ACORD 125 signed.pdf', 'application', 20, 'Jordan Blake', 0),
  draft('ACORD 140 property section.pdf', 'application', 20, 'Jordan Blake', 0),
  draft('Submission narrative 2026.pdf', 'submission_letter', 18, 'Jordan Blake', 0, { covers_all_properties: true }),
  draft('Marketing memo internal.txt', 'submission_letter', 17, 'Jordan Blake', 0, { private: true }),
  draft('Appraisal report Palm Desert.pdf', 'appraisal', 210, 'Keystone Valuation Group', 1),
  draft('Appraisal report top ten locations.pdf', 'appraisal', 300, 'Keystone Valuation Group', 10, {
    vanity_name: 'Appraisal of the ten largest locations',
  }),
  draft('Valuation update office schedule.pdf', 'appraisal', 95, 'Keystone Valuation Group', 6),
  draft('Valuation 2021 superseded.pdf', 'appraisal', 1_880, 'Keystone Valuation Group', 3),
  draft('Loss control survey 1.pdf', 'risk_control', 130, 'Samuel Okafor, Granite Peak', 1),
  draft('Loss control survey 2.pdf', 'risk_control', 128, 'Samuel Okafor, Granite Peak', 1),
  draft('Loss control survey 3.pdf', 'risk_control', 121, 'Samuel Okafor, Granite Peak', 2),
  draft('Engineering report distribution center.pdf', 'risk_control', 540, 'Samuel Okafor, Granite Peak', 1),
  draft('Rec letter response.pdf', 'recommendation_response', 70, 'Dana Whitfield', 2),
  draft('Loss run 5 years.xlsx', 'loss_run', 33, 'Granite Peak Insurance', 0),
  draft('Claims summary 2026.pdf', 'loss_run', 33, 'Granite Peak Insurance', 0, { provided_by_broker: true }),
  draft('Roof inspection north region.pdf', 'roof', 260, 'Summit Roofing Consultants', 4),
  draft('Roof warranty.pdf', 'roof', 1_400, 'Summit Roofing Consultants', 1),
  draft('Elevation certificate.pdf', 'flood', 900, 'R. Castellano, surveyor', 1),
  draft('Flood zone determinations.pdf', 'flood', 410, 'Blueline Determinations', 8),
  draft('Seismic PML report.pdf', 'seismic', 720, 'Hayward Structural', 5, { vanity_name: 'Seismic PML, Bay Area schedule' }),
  draft('Structural retrofit letter.pdf', 'seismic', 1_250, 'Hayward Structural', 1),
  draft('Phase I ESA.pdf', 'environmental', 640, 'Terra Assessment', 1),
  draft('Property condition assessment.pdf', 'environmental', 505, 'Terra Assessment', 2),
  draft('Sprinkler inspection NFPA 25 Q1.pdf', 'fire_protection', 190, 'Redline Fire Protection', 3),
  draft('Sprinkler inspection NFPA 25 Q3.pdf', 'fire_protection', 31, 'Redline Fire Protection', 3),
  draft('Alarm test certificate.pdf', 'fire_protection', 88, 'Redline Fire Protection', 1),
  draft('Site map campus.png', 'plans', 420, 'Dana Whitfield', 2),
  draft('Photo front elevation.png', 'photo', 60, 'Dana Whitfield', 1),
  draft('Photo loading docks.png', 'photo', 60, 'Dana Whitfield', 1),
  draft('Photo parking structure.png', 'photo', 58, 'Dana Whitfield', 1),
  draft('Photo rooftop equipment.png', 'photo', 58, 'Dana Whitfield', 1),
  draft('Photo lobby.png', 'photo', 57, 'Dana Whitfield', 1),
  draft('Lease abstract anchor tenant.pdf', 'lease', 800, 'Pacific Crest Properties', 1),
  draft('Purchase agreement excerpt.pdf', 'lease', 350, 'Pacific Crest Properties', 1),
  draft('Business continuity plan.pdf', 'emergency_plan', 275, 'Pacific Crest Properties', 0, { covers_all_properties: true }),
  draft('Financial statement 2025.pdf', 'financial', 200, 'Pacific Crest Properties', 0),
  draft('Expiring policy and forms.pdf', 'policy', 365, 'Granite Peak Insurance', 0, { provided_by_broker: true }),
  draft('Email updated schedule.eml', 'correspondence', 26, 'Dana Whitfield <client@plumbline.example>', 0),
  draft('Letter of sold locations.txt', 'correspondence', 41, 'Dana Whitfield', 3),
  draft('Notes from renewal meeting.txt', 'other', 15, 'Jordan Blake', 0),
]

interface Located {
  id: string
  values: Partial<PropertyValues>
}

/** The documents of the busy account: workbooks, PDF, pictures, mail and text, linked, dated and flagged. */
export async function addBusyDocuments(
  stage: Stage,
  uploader: Stage['tx'],
  accountId: string,
  register: readonly Located[],
): Promise<void> {
  const notable = register.toSorted((a, b) => (b.values.building_value ?? 0) - (a.values.building_value ?? 0)).slice(0, 60)
  for (const { name, category, days, author, about, flags = {} } of DRAFTS) {
    const properties = Array.from({ length: about }, () => stage.random.pick(notable))
    const date = dayAgo(days, stage.now)
    const paper: Paper = { title: name.replace(/\.\w+$/, ''), category, date, author, properties: properties.map(({ values }) => values) }
    const id = await storeDocument(uploader, accountId, {
      name,
      category,
      ...(await content(stage, name, paper, register)),
      properties: [...new Set(properties.map((property) => property.id))],
      flags: { ...flags, report_author_date: date },
    })
    const arrived = Math.max(12, Math.min(days, 150) - 2)
    remember(stage, 'files', id, arrived, arrived)
  }
}

async function content(
  stage: Stage,
  name: string,
  paper: Paper,
  register: readonly Located[],
): Promise<{ bytes: Buffer; contentType: string }> {
  const values = register.map((property) => property.values)
  switch (name.slice(name.lastIndexOf('.'))) {
    case '.xlsx':
      return {
        bytes: paper.category === 'loss_run' ? await lossRun(stage.random, values, stage.now) : await sov(name, values),
        contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      }
    case '.png':
      return { bytes: drawBuilding(stage.random), contentType: 'image/png' }
    case '.eml':
      return { bytes: mailPaper(paper), contentType: 'message/rfc822' }
    case '.txt':
      return { bytes: textPaper(paper), contentType: 'text/plain' }
    default:
      return { bytes: pdfPaper(paper), contentType: 'application/pdf' }
  }
}

const EXPIRING = 1 / 1.05

/** The expiring one lacks the locations bought since and has the values of a year ago. */
const sov = (name: string, values: readonly Partial<PropertyValues>[]): Promise<Buffer> =>
  name.includes('expiring') ? statementOfValues('SOV 2025-26', values.slice(24), EXPIRING) : statementOfValues('SOV 2026-27', values)
