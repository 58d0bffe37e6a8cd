import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import { DOCUMENT_CATEGORY_CODES, type DocumentCategoryCode } from '#contract/document-categories.ts'
import { formatMoney, formatNumber } from '#contract/format.ts'
import type { PropertyValues } from '#contract/property-fields.ts'
import type { Context } from '#server/engines/context.ts'
import { patchFile } from '#server/features/account-files/files.commands.ts'
import { registerFile } from '#server/features/account-files/register.commands.ts'
import { signUpload } from '#server/features/account-files/uploads.commands.ts'
import { backdate, type DemoContext } from './demo-context.ts'
import { renderPdf } from './pdf.ts'
import { readTable } from './read-table.ts'

/** What documents of a category say; others say GENERAL. */
const PARAGRAPHS = readTable('document-texts.csv', z.object({ category: z.enum(DOCUMENT_CATEGORY_CODES), paragraph: z.string() }))
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
    ...(category === 'appraisal' && property.building_value ? [`   Replacement cost new: ${formatMoney(property.building_value)}`] : []),
    ...(property.year_built
      ? [`   Built ${property.year_built}, ${property.stories ?? '?'} stories, ${formatNumber(property.floor_area ?? 0)} sq ft`]
      : []),
  ])
  const body = PARAGRAPHS.filter((text) => text.category === category).flatMap(({ paragraph }) => [paragraph, ''])
  return [`Date: ${date}`, `Prepared by: ${author}`, '', ...about, '', ...(body.length > 0 ? body : [GENERAL, ''])]
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
  await nameInImports(ctx, accountId, { id, name })
  backdate(demo, 'account_files', id, days, days)
}

/** The register is stored before its documents, so the activity line of its import gets the id of the document that it names. */
async function nameInImports({ db }: Context, accountId: string, { id, name }: { id: string; name: string }): Promise<void> {
  await sql`UPDATE activities SET file_ids = file_ids || ${id}::uuid
    WHERE account_id = ${accountId} AND class = 'imported' AND strpos(message, ${` imported ${name}: `}) > 0`.execute(db)
}
