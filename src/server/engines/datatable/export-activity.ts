import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { EXPORTS, type ExportAction } from '#contract/datatable.ts'
import { plural } from '#contract/format.ts'
import { MODELS, USER_MODEL } from '#contract/models.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '../context.ts'
import { issuedFile } from '../packages/issued-file.ts'
import type { Package } from '../packages/packages.ts'
import { recordActivity } from '../transaction/activity.ts'
import type { Datatable } from './define-datatable.ts'

interface Export {
  table: Datatable
  action: ExportAction
  /** The account that the export is limited to. */
  account: string | undefined
  /** Of the rows, separated by commas. */
  ids: string
  /** The number of rows in the file, and the hash of what it contains if it has a date, too; complete at its end. */
  written: { readonly rows: number; readonly content: Hash | undefined }
  made: Package
  series: readonly unknown[]
}

/**
 * The file, which ends after its export is recorded: a client that has the whole file is in the activity, one that stopped reading is not.
 * If it cannot be recorded, the file fails.
 */
export const recordedExport = (ctx: Context, file: Readable, exported: Export): Readable => {
  const { made, account, series, written, table, action } = exported
  const name = `${MODELS[table.model].many} as ${EXPORTS[action].format}`
  const issued = { ...made, name, accountId: account ?? null, series, content: written.content }
  return issuedFile(ctx, file, { ...issued, alsoRecord: (tx) => record(tx, exported) })
}

/** In the activity of the account, or of the user for a list that is not limited to one. A repeated export within ten minutes is one line. */
async function record(tx: WriteContext, { table, action, account, ids, written }: Export): Promise<void> {
  const user = viewerId(tx.viewer)
  if (user === null || written.rows === 0) return
  const { model } = table
  const what = plural(written.rows, MODELS[model].one, MODELS[model].many)
  const about = account === undefined ? ({ model: USER_MODEL, modelId: user } as const) : { model, modelId: account, accountId: account }
  await recordActivity(tx, {
    ...about,
    class: 'downloaded',
    message: `{user} exported ${what} as ${EXPORTS[action].format}`,
    fileIds: account === undefined ? [] : ((await table.namesFiles?.(tx, ids)) ?? []),
    group: { key: ['export', model, action, written.rows, about.modelId].join(' '), count: 1 },
  })
}
