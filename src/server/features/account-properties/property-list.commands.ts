import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { seesFiles } from '#server/access/account-files.ts'
import { seesDiscrepancies } from '#server/access/discrepancies.ts'
import type { Context } from '#server/engines/context.ts'
import { packageWorkbook } from '#server/engines/packages/package-properties.ts'
import type { Package } from '#server/engines/packages/packages.ts'
import type { SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import { writeWorkbook, type SheetData } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { AppError } from '#server/kernel/errors.ts'
import { listColumns, type ListColumn } from './property-list.columns.ts'
export { listedFacts, type ListRequest } from './property-list.queries.ts'
import { countListed, listedIds, readList, readUsed, type ListRequest } from './property-list.queries.ts'

/** How many properties the list has. Throws `notFound` if the viewer sees none. */
export async function requireListedProperties(ctx: Context, request: ListRequest): Promise<number> {
  const count = await countListed(ctx, request)
  if (count === 0) throw noProperties()
  return count
}

const noProperties = () => new AppError('not_found', 'No properties found')

export const hasListedProperties = async (ctx: Context, accountId: string): Promise<boolean> =>
  (await countListed(ctx, { accountId, ids: null })) > 0

interface ListFile {
  made: Package
  account: string
  /** Takes what the file contains, without its date and id. */
  content: Hash
  others?: readonly SheetData[]
  /** The documents on the other sheets, for the manifest. */
  documents?: readonly object[]
}

/**
 * The properties of an account as a workbook: the active ones with totals, the divested ones on a sheet of their own, then other sheets. Rows
 * are read as fast as the stream is. Importing the file changes nothing. Throws `notFound` if the viewer sees no property.
 */
export async function propertyList(
  ctx: Context,
  request: ListRequest,
  { made, account, content, others = [], documents }: ListFile,
): Promise<Readable> {
  const [{ active, divested }, { used, custom }] = await Promise.all([listedIds(ctx, request), readUsed(ctx, request)])
  if (active === '' && divested === '') throw noProperties()
  const seen = { documents: seesFiles(ctx.viewer), findings: seesDiscrepancies(ctx.viewer) }
  const sheetOf = (name: string, ids: string, isDivested: boolean) => {
    const columns = listColumns({ used, custom, ...seen, divested: isDivested })
    const values = columns.map(({ value }) => value)
    return listSheet(name, columns, rowsOf(columns, readList(ctx, request.accountId, ids, values)))
  }
  const sheets = [
    ...(active === '' ? [] : [sheetOf('Properties', active, false)]),
    ...(divested === '' ? [] : [sheetOf('Divested', divested, true)]),
    ...others,
  ]
  return writeWorkbook({ sheets, ...packageWorkbook(ctx, made, { title: 'Property List', account, content, documents }) })
}

const listSheet = (name: string, columns: readonly ListColumn[], rows: SheetData['rows']): SheetData => ({
  name,
  columns: columns.map(({ column }) => column),
  rows,
  totals: 'Total',
  totalsBy: columns.findIndex(({ column }) => column.header === 'Currency'),
  frozenHeader: true,
  autoFilter: true,
})

async function* rowsOf(columns: readonly ListColumn[], pieces: AsyncIterable<string[][]>) {
  const presented = columns.flatMap(({ present }, at) => (present === undefined ? [] : [{ present, at }]))
  for await (const rows of pieces)
    yield rows.map((row: SheetValue[]) => {
      for (const { present, at } of presented) row[at] = present(row[at] as string) // not yet presented
      return row
    })
}
