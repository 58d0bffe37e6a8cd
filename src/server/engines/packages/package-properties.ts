import type { Hash } from 'node:crypto'
import type { Config } from '#server/kernel/config.ts'
import type { Context } from '../context.ts'
import type { FileProperties } from '../office-files/property-parts.ts'
import type { Workbook } from '../spreadsheet/write/write-workbook.ts'
import type { Package } from './packages.ts'

/** The page on which everyone can check whether a file is unchanged and current. */
const checkPage = ({ appUrl }: Config): string => `${appUrl}/check`

/** The date and id that a file of the product carries, as pairs of name and text. */
export const printedProperties = ({ config }: Context, { id, madeAt }: Package): [name: string, text: string][] => [
  ['Document ID', id],
  ['Date (UTC)', madeAt.toISOString().replace('T', ' ').slice(0, 16)],
  ['Check this file at', checkPage(config)],
]

/** Raised when a field changes its meaning or is removed (docs/product.md, "Provable packages"). */
const MANIFEST_VERSION = 1

/** What a package says about itself to programs. */
export const manifestOf = <Content extends object>({ config }: Context, { id, madeAt }: Package, content: Content) => ({
  manifest_version: MANIFEST_VERSION,
  id,
  made_at: madeAt.toISOString(),
  made_with: config.product.name,
  check_page: checkPage(config),
  ...content,
})

/** For the properties of Word and Excel files. */
export const packageProperties = (ctx: Context, made: Package, title: string): FileProperties => ({
  title,
  creator: ctx.config.product.name,
  createdAt: made.madeAt,
  custom: printedProperties(ctx, made),
})

/**
 * What a workbook carries about itself: properties that Office shows, and a manifest with the checksum of each sheet. `content` takes these
 * checksums when all sheets are written: what the workbook contains, without its date and id.
 */
export const packageWorkbook = (
  ctx: Context,
  made: Package,
  { title, content, account, documents }: WorkbookFacts,
): Omit<Workbook, 'sheets'> => ({
  properties: packageProperties(ctx, made, title),
  manifest: (sheets) => {
    content?.update(JSON.stringify(sheets))
    return manifestOf(ctx, made, { ...(account !== undefined && { account }), sheets, ...(documents && { documents }) })
  },
})

interface WorkbookFacts {
  title: string
  content?: Hash | undefined
  /** The name of the account that it is about. */
  account?: string
  /** The documents that it lists, as in the manifest of an archive. */
  documents?: readonly object[] | undefined
}
