import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { RawBuilder } from 'kysely'
import { codesOf } from '#contract/code-lists.ts'
import { seesFiles } from '#server/access/account-files.ts'
import { seesDiscrepancies } from '#server/access/discrepancies.ts'
import { rowsOf } from '#server/db/copied-rows.ts'
import { Snapshot } from '#server/db/snapshot.ts'
import { Spool } from '#server/db/spool.ts'
import type { Context } from '#server/engines/context.ts'
import { packageWorkbook } from '#server/engines/packages/package-properties.ts'
import type { Package } from '#server/engines/packages/packages.ts'
import type { SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import { writeWorkbook, type SheetData } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { AppError } from '#server/kernel/errors.ts'
import { listColumns, type ListColumn } from './property-list.columns.ts'
export { listedFacts, type ListRequest } from './property-list.queries.ts'
import { countListed, listedValues, readUsed, type ListRequest } from './property-list.queries.ts'

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
 * The properties of an account as a workbook: the active ones with totals, the divested ones on a sheet of their own, then other sheets. All
 * properties are of one moment, and rows are written as fast as the stream is read. Importing the file changes nothing. Throws `notFound` if
 * the viewer sees no property.
 */
export async function propertyList(
  ctx: Context,
  request: ListRequest,
  { made, account, content, others = [], documents }: ListFile,
): Promise<Readable> {
  const lists = await openLists(ctx, request)
  const sheets = [...lists.map(({ sheet }) => sheet), ...others]
  const workbook = writeWorkbook({ sheets, ...packageWorkbook(ctx, made, { title: 'Property List', account, content, documents }) })
  return workbook.once('close', () => lists.forEach(({ spool }) => void spool.close()))
}

const SHEETS = { active: 'Properties', divested: 'Divested' } as const
type Status = keyof typeof SHEETS

/** The sheets of the list, whose rows the database has begun to read. */
async function openLists(ctx: Context, request: ListRequest): Promise<{ sheet: SheetData; spool: Spool }[]> {
  const snapshot = await Snapshot.open(ctx)
  let lists: { sheet: SheetData; spool: Spool; statement: RawBuilder<object> }[] = []
  try {
    const { used, custom, ...counts } = await readUsed(ctx, snapshot, request)
    const shown = { used, custom, documents: seesFiles(ctx.viewer), findings: seesDiscrepancies(ctx.viewer) }
    lists = codesOf(SHEETS)
      .filter((status) => counts[status] > 0)
      .map((status) => openList(ctx, request, status, listColumns({ ...shown, divested: status === 'divested' })))
    if (lists.length === 0) throw noProperties()
    return lists
  } finally {
    void snapshot.copyAll(lists.map(({ statement, spool }) => ({ statement, to: spool })))
  }
}

function openList(ctx: Context, request: ListRequest, status: Status, columns: readonly ListColumn[]) {
  const spool = new Spool()
  const statement = listedValues(
    ctx,
    request,
    status,
    columns.map(({ value }) => value),
  )
  return { spool, statement, sheet: listSheet(SHEETS[status], columns, presented(columns, rowsOf(spool))) }
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

async function* presented(columns: readonly ListColumn[], pieces: AsyncIterable<string[][]>) {
  const changed = columns.flatMap(({ present }, at) => (present === undefined ? [] : [{ present, at }]))
  for await (const rows of pieces)
    yield rows.map((row: SheetValue[]) => {
      for (const { present, at } of changed) row[at] = present(row[at] as string) // not yet presented
      return row
    })
}
