import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { EXPORTS, type ExportAction } from '#contract/datatable.ts'
import { plural } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '../context.ts'
import { recordPackage, type Package } from '../packages/packages.ts'
import { recordActivity } from '../transaction/activity.ts'
import { transact } from '../transaction/transact.ts'
import type { Datatable } from './define-datatable.ts'

interface Export {
  table: Datatable
  action: ExportAction
  /** The account that the export is limited to. */
  account: string | undefined
  /** Of the rows, separated by commas. */
  ids: string
  /** The number of rows in the file, and the hash of their values if the file has more than these; complete at its end. */
  written: { readonly rows: number; readonly content: Hash | undefined }
  made: Package
  series: readonly unknown[]
}

/**
 * The file, which ends after its export is recorded: a client that has the whole file is in the activity, one that stopped reading is not.
 * If it cannot be recorded, the file fails.
 */
export const recordedExport = (ctx: Context, file: Readable, exported: Export): Readable =>
  Readable.from(thenRecord(ctx, file, exported), { objectMode: false })

async function* thenRecord(ctx: Context, file: Readable, exported: Export): AsyncGenerator<Buffer | string> {
  const hash = createHash('sha256')
  // what streams of bytes yield
  for await (const chunk of file as AsyncIterable<Buffer | string>) {
    hash.update(chunk)
    yield chunk
  }
  const { made, account, series, written } = exported
  const checksum = hash.digest('hex')
  const content = written.content?.digest('hex') ?? checksum
  const issued = { ...made, accountId: account ?? null, series, content, checksums: [checksum] }
  await transact(ctx, async (tx) => {
    await record(tx, exported)
    await recordPackage(tx, { ...issued, isIssued: true })
  })
}

/** In the activity of the account, or of the user for a list that is not limited to one. A repeated export within ten minutes is one line. */
async function record(tx: WriteContext, { table, action, account, ids, written }: Export): Promise<void> {
  const user = viewerId(tx.viewer)
  if (user === null || written.rows === 0) return
  const { model } = table
  const what = plural(written.rows, MODELS[model].one, MODELS[model].many)
  const about = account === undefined ? ({ model: 'users', modelId: user } as const) : { model, modelId: account, accountId: account }
  await recordActivity(tx, {
    ...about,
    class: 'downloaded',
    message: `{user} exported ${what} as ${EXPORTS[action].format}`,
    fileIds: account !== undefined && model === 'account_files' ? await privateFiles(tx, ids) : [],
    group: { key: ['export', model, action, written.rows, about.modelId].join(' '), count: 1 },
  })
}

/** The number of documents would reveal how many private ones there are. */
async function privateFiles({ db }: WriteContext, ids: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM account_files WHERE id = ANY(${`{${ids}}`}::uuid[]) AND private`.execute(db)
  return rows.map(({ id }) => id)
}
