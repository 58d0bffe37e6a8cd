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
export type { ListRequest } from './property-list.queries.ts'
import { countListed, readList, usedFields, type ListRequest } from './property-list.queries.ts'

/** How many properties the list has. Throws `notFound` if the viewer sees none. */
export async function requireListedProperties(ctx: Context, request: ListRequest): Promise<number> {
  const { active, divested } = await requireSome(ctx, request)
  return active + divested
}

async function requireSome(ctx: Context, request: ListRequest) {
  const counts = await countListed(ctx, request)
  if (counts.active + counts.divested === 0) throw new AppError('not_found', 'No properties found')
  return counts
}

export async function hasListedProperties(ctx: Context, accountId: string): Promise<boolean> {
  const { active, divested } = await countListed(ctx, { accountId, ids: null })
  return active + divested > 0
}

interface ListFile {
  made: Package
  account: string
  /** Takes what the file contains, without its date and id. */
  content: Hash
  others?: readonly SheetData[]
}

/**
 * The properties of an account as a workbook: the active ones with totals, the divested ones on a sheet of their own, then other sheets. Rows
 * are read as fast as the stream is. Importing the file changes nothing. Throws `notFound` if the viewer sees no property.
 */
export async function propertyList(
  ctx: Context,
  request: ListRequest,
  { made, account, content, others = [] }: ListFile,
): Promise<Readable> {
  const [{ active, divested }, used] = await Promise.all([requireSome(ctx, request), usedFields(ctx, request)])
  const seen = { documents: seesFiles(ctx.viewer), findings: seesDiscrepancies(ctx.viewer) }
  const sheetOf = (name: string, status: 'active' | 'divested') => {
    const columns = listColumns({ used, ...seen, divested: status === 'divested' })
    const properties = readList(ctx, { ...request, status, values: columns.map(({ value }) => value) })
    return listSheet(name, columns, rowsOf(columns, properties))
  }
  const sheets = [
    ...(active > 0 ? [sheetOf('Properties', 'active')] : []),
    ...(divested > 0 ? [sheetOf('Divested', 'divested')] : []),
    ...others,
  ]
  return writeWorkbook({ sheets, ...packageWorkbook(ctx, made, { title: 'Property List', account, content }) })
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

async function* rowsOf(columns: readonly ListColumn[], batches: AsyncIterable<unknown[][]>) {
  const presented = columns.flatMap(({ present }, at) => (present === undefined ? [] : [{ present, at }]))
  for await (const rows of batches) {
    for (const row of rows) for (const { present, at } of presented) row[at] = present(row[at])
    yield rows as SheetValue[][] // text and numbers, presented
  }
}
