import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import type { PropertyValues } from '#contract/property-fields.ts'
import { writePdf } from './pdf.ts'

type Property = Partial<PropertyValues>

/** What a document of this kind says about the properties it is about. */
const BODIES: Partial<Record<DocumentCategoryCode, readonly string[]>> = {
  appraisal: [
    'Replacement cost new was estimated by component from a visit to the building and its drawings.',
    'Demolition, debris removal and land are not included.',
    'The value is the cost to rebuild with like kind and quality on the date of this report.',
  ],
  risk_control: [
    'The building was visited together with the property manager.',
    'Housekeeping was good; aisles and exits were clear.',
    'Recommendation 1 (important): repair the leaking valve in the riser room within 60 days.',
    'Recommendation 2 (advisory): extend the hot work permit to contractors.',
  ],
  recommendation_response: [
    'Recommendation 1: completed, the valve was replaced and tested.',
    'Recommendation 2: accepted, the permit form is being introduced.',
  ],
  roof: [
    'The roof membrane is in serviceable condition with local ponding at two drains.',
    'Flashings on the north parapet should be renewed within two years.',
    'Estimated remaining life: eight years.',
  ],
  flood: [
    'The building lies outside the special flood hazard area (zone X).',
    'Lowest floor including basement stands above the base flood elevation.',
  ],
  seismic: [
    'Probable maximum loss for the 475-year event was estimated at 14 percent of the building value.',
    'The roof-to-wall anchorage was strengthened in 2009.',
  ],
  environmental: [
    'This assessment has revealed no evidence of recognized environmental conditions.',
    'Paving and site lighting are due for renewal within five years.',
  ],
  fire_protection: [
    'Wet pipe system inspected and tested in accordance with NFPA 25.',
    'Main drain: static 78 psi, residual 61 psi. Water flow alarm received after 42 seconds.',
    'One gauge past its calibration date was replaced.',
  ],
  lease: [
    'The tenant maintains interior improvements; the landlord insures the building.',
    'Term: ten years with two options of five years.',
  ],
  emergency_plan: [
    'The response team meets at the south parking area.',
    'Critical suppliers and their alternates are listed in appendix B.',
  ],
  financial: [
    'Rental income rose by four percent; vacancy stood at six percent at the end of the year.',
    'These figures are unaudited and confidential.',
  ],
  policy: [
    'Coverage: all risk of direct physical loss or damage, replacement cost, agreed amount.',
    'Deductible: 50,000 any one occurrence; earthquake 5 percent of the values at each location.',
  ],
  application: [
    'The applicant confirms the values in the attached statement of values.',
    'Losses of the last five years are in the attached loss run.',
  ],
  correspondence: [
    'Please find attached the updated schedule for the coming renewal.',
    'Values were reviewed with the asset managers; three locations were sold this year.',
  ],
}
const GENERAL: readonly string[] = ['Prepared for the renewal of the property program.']

export interface Paper {
  title: string
  category: DocumentCategoryCode
  date: string
  author: string
  properties: readonly Property[]
}

/** Title, date, author, body and the properties concerned, as lines of text. */
function lines({ category, date, author, properties }: Paper): string[] {
  const about = properties.flatMap((property) => [
    `Location ${property.location_number ?? ''}: ${property.property_name ?? ''}`,
    `   ${property.address ?? ''}, ${property.city ?? ''}, ${property.state ?? ''} ${property.postal_code ?? ''}`,
    ...(category === 'appraisal' && property.building_value
      ? [`   Replacement cost new: $${property.building_value.toLocaleString('en-US')}`]
      : []),
    ...(property.year_built
      ? [`   Built ${property.year_built}, ${property.stories ?? '?'} stories, ${(property.floor_area ?? 0).toLocaleString('en-US')} sq ft`]
      : []),
  ])
  return [
    `Date: ${date}`,
    `Prepared by: ${author}`,
    '',
    ...about,
    '',
    ...(BODIES[category] ?? GENERAL).flatMap((sentence) => [sentence, '']),
  ]
}

export const pdfPaper = (paper: Paper): Buffer => writePdf(paper.title, lines(paper))
export const textPaper = (paper: Paper): Buffer => Buffer.from([paper.title, '', ...lines(paper), ''].join('\n'))

/** A mail as it is saved from a mailbox. */
export const mailPaper = (paper: Paper): Buffer =>
  Buffer.from(
    [
      `From: ${paper.author}`,
      'To: Jordan Blake <broker@plumbline.example>',
      `Subject: ${paper.title}`,
      `Date: ${new Date(paper.date).toUTCString()}`,
      'Content-Type: text/plain; charset=utf-8',
      '',
      ...lines(paper),
      '',
    ].join('\r\n'),
  )
