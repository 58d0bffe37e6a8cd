import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import type { PropertyValues } from '#contract/property-fields.ts'
import type { Context } from '#server/engines/context.ts'
import { patchFile } from '#server/features/account-files/files.commands.ts'
import { registerFile } from '#server/features/account-files/register.commands.ts'
import { signUpload } from '#server/features/account-files/uploads.commands.ts'
import { backdate, type DemoContext } from './demo-context.ts'
import { renderPdf } from './pdf.ts'

/** The text of a document of the category, one paragraph per line. */
const BODIES: Partial<Record<DocumentCategoryCode, string>> = {
  appraisal: `Replacement cost new was estimated by component from a visit to the building and its drawings.
Demolition, debris removal and land are not included.
The value is the cost to rebuild with like kind and quality on the date of this report.`,
  risk_control: `The building was visited together with the property manager.
Housekeeping was good; aisles and exits were clear.
Recommendation 1 (important): repair the leaking valve in the riser room within 60 days.
Recommendation 2 (advisory): extend the hot work permit to contractors.`,
  recommendation_response: `Recommendation 1: completed, the valve was replaced and tested.
Recommendation 2: accepted, the permit form is being introduced.`,
  roof: `The roof membrane is in serviceable condition with local ponding at two drains.
Flashings on the north parapet should be renewed within two years.
Estimated remaining life: eight years.`,
  flood: `The building is outside the special flood hazard area (zone X).
The lowest floor, including the basement, is above the base flood elevation.`,
  seismic: `Probable maximum loss for the 475-year event was estimated at 14 percent of the building value.
The roof-to-wall anchorage was strengthened in 2009.`,
  environmental: `This assessment has revealed no evidence of recognized environmental conditions.
Paving and site lighting are due for renewal within five years.`,
  fire_protection: `Wet pipe system inspected and tested in accordance with NFPA 25.
Main drain: static 78 psi, residual 61 psi. Water flow alarm received after 42 seconds.
One gauge past its calibration date was replaced.`,
  lease: `The tenant maintains interior improvements; the landlord insures the building.
Term: ten years with two options of five years.`,
  emergency_plan: `The response team gathers at the south parking area.
Critical suppliers and their alternates are listed in appendix B.`,
  financial: `Rental income rose by four percent; vacancy was six percent at the end of the year.
These figures are unaudited and confidential.`,
  policy: `Coverage: all risk of direct physical loss or damage, replacement cost, agreed amount.
Deductible: 50,000 any one occurrence; earthquake 5 percent of the values at each location.`,
  application: `The applicant confirms the values in the attached statement of values.
Losses of the last five years are in the attached loss run.`,
  correspondence: `Please find attached the updated schedule for the coming renewal.
Values were reviewed with the asset managers; three locations were sold this year.`,
}
const GENERAL = 'Prepared for the renewal of the property program.'

/** The content of a document: its kind follows from the extension of its file name. */
interface DocumentText {
  category: DocumentCategoryCode
  /** YYYY-MM-DD. */
  date: string
  author: string
  /** The properties it is about. */
  properties?: readonly Partial<PropertyValues>[]
  /** The file name without extension by default. */
  title?: string
}

export interface DocumentContent {
  contentType: string
  bytes: Buffer
}

/** Renders a PDF, mail or text document, or reads the photo of that name. */
async function renderDocument(fileName: string, text: DocumentText): Promise<DocumentContent> {
  const extension = extname(fileName)
  const { title = fileName.slice(0, -extension.length) } = text
  switch (extension) {
    case '.pdf':
      return { contentType: 'application/pdf', bytes: await renderPdf(title, linesOf(text), new Date(text.date)) }
    case '.png':
      return { contentType: 'image/png', bytes: readFileSync(join(import.meta.dirname, 'photos', fileName)) }
    case '.eml':
      return { contentType: 'message/rfc822', bytes: Buffer.from([...mailHeaders(title, text), '', ...linesOf(text), ''].join('\r\n')) }
    default:
      return { contentType: 'text/plain', bytes: Buffer.from([title, '', ...linesOf(text), ''].join('\n')) }
  }
}

const mailHeaders = (title: string, { author, date }: DocumentText): string[] => [
  `From: ${author}`,
  'To: Jordan Blake <broker@plumbline.example>',
  `Subject: ${title}`,
  `Date: ${new Date(date).toUTCString()}`,
  'Content-Type: text/plain; charset=utf-8',
]

function linesOf({ category, date, author, properties = [] }: DocumentText): string[] {
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
  const body = (BODIES[category] ?? GENERAL).split('\n').flatMap((paragraph) => [paragraph, ''])
  return [`Date: ${date}`, `Prepared by: ${author}`, '', ...about, '', ...body]
}

interface NewDocument {
  name: string
  content: DocumentContent | DocumentText
  /** Suggested by the name if it is missing. */
  category?: DocumentCategoryCode
  /** Ids of the properties it is about. */
  properties?: readonly string[]
  flags?: Parameters<typeof patchFile>[3]
}

/** Uploads, registers and describes a document like a user does, as the viewer of `ctx`, dated the given days ago. */
export async function addDocument(demo: DemoContext, ctx: Context, accountId: string, document: NewDocument, days: number): Promise<void> {
  const { name, content, category, properties = [], flags = {} } = document
  const { contentType, bytes } = 'bytes' in content ? content : await renderDocument(name, content)
  const ticket = await signUpload(ctx, accountId, { filePath: name, contentType, size: bytes.length, purpose: 'document' })
  const key = ticket.fields['key']
  if (key === undefined) throw new Error('The upload ticket has no key')
  await ctx.storage.put(key, bytes, { contentType })
  const { private: isPrivate, ...described } = flags
  const { id } = await registerFile(ctx, {
    file: { name, size: bytes.length, type: contentType },
    s3ObjectLocation: key,
    account_id: accountId,
    property_ids: [...properties],
    ...(category === undefined ? {} : { category }),
    ...(isPrivate === undefined ? {} : { private: isPrivate }),
  })
  if (Object.keys(described).length > 0) await patchFile(ctx, accountId, id, described)
  backdate(demo, 'account_files', id, days, days)
}
