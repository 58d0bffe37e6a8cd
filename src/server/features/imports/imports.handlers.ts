import { XLSX, type importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Handlers, RequireRecord } from '#server/engines/http/answer.ts'
import { markOpened } from '#server/engines/datatable/new-rows.ts'
import { DOWNLOAD_HEADERS, contentDisposition } from '#server/engines/storage/download.ts'
import { commitImport } from './commit.commands.ts'
import { importFile, importProperties } from './create.commands.ts'
import { presentHistory } from './import-history.presenter.ts'
import { importDatatable } from './imports.datatable.ts'
import { importFields, presentImport } from './imports.presenter.ts'
import { findImport, importsOfAccount, undoableImport } from './imports.queries.ts'
import { importRows } from './preview-rows.queries.ts'
import { rejectedWorkbook } from './rejected-rows.queries.ts'
import { endImport } from './undo.commands.ts'
import { updateImport } from './update.commands.ts'

export const handlers: Handlers<typeof importCalls> = {
  create: async ({ ctx, params: { account_id }, body }) => {
    const isFile = 'source' in body
    const id = isFile ? await importFile(ctx, account_id, body.source) : await importProperties(ctx, account_id, body.properties)
    const state: Import['state'] = isFile ? 'uploaded' : 'mapped'
    return { status: 201, data: { id, state, status: state }, message: 'The import was started.' }
  },
  show: async ({ ctx, params }) => {
    const record = await findImport(ctx, params.id)
    await markOpened(ctx, importDatatable, record)
    return { data: await presentImport(ctx, record) }
  },
  rows: async ({ ctx, params, query }) => {
    const { rows, meta } = await importRows(ctx, await findImport(ctx, params.id), query)
    return { data: rows, extra: { meta } }
  },
  update: async ({ ctx, params, body }) => ({ data: await presentImport(ctx, await updateImport(ctx, params.id, body)) }),
  commit: async ({ ctx, params, body }) => {
    const record = await commitImport(ctx, params.id, body)
    return {
      data: await presentImport(ctx, record),
      message: record.state === 'committed' ? 'The import is in the register.' : 'The import is being written to the register.',
    }
  },
  cancel: async ({ ctx, params, query }) => {
    const { record, message } = await endImport(ctx, params.id, query.others === true)
    return { data: await presentImport(ctx, record), message }
  },
  rejected: async ({ ctx, params }) => {
    const record = await findImport(ctx, params.id)
    const fileName = `Rejected rows of ${record.file_name.replace(/\.[a-z]+$/i, '')}.xlsx`
    return {
      headers: { ...DOWNLOAD_HEADERS, 'content-type': XLSX, 'content-disposition': contentDisposition('attachment', fileName) },
      body: rejectedWorkbook(ctx, record),
    }
  },
  history: async ({ ctx, params: { account_id } }) => {
    const records = await importsOfAccount(ctx, account_id)
    const undoable = await undoableImport(ctx.db, account_id)
    return { data: records.map((record) => presentHistory(record, undoable)) }
  },
  columns: async ({ ctx, params: { account_id } }) => {
    await requireVisibleAccount(ctx.db, ctx.viewer, account_id)
    return { data: importFields() }
  },
}

export const requireRecord: RequireRecord = (ctx, { id, account_id = '' }) =>
  id === undefined ? requireVisibleAccount(ctx.db, ctx.viewer, account_id) : findImport(ctx, id)
