import { fileCalls, type FileBefore } from '#contract/account-files.ts'
import { leftOutText } from '#contract/download-content.ts'
import { IndexQuery } from '#contract/datatable.ts'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import { isSame, type BodyOf } from '#contract/route.ts'
import { fileRules } from '#server/access/account-files.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { serveZip } from '#server/engines/archive/zip-serve.ts'
import { attachment, listHandlers } from '#server/engines/datatable/list-routes.ts'
import { accepted } from '#server/engines/datatable/conditions.ts'
import { markOpened } from '#server/engines/datatable/new-rows.ts'
import { listOrder, listPage } from '#server/engines/datatable/index-list.ts'
import { done, implement, type RequireRecord } from '#server/engines/http/answer.ts'
import { trashHandlers } from '#server/engines/record/record-handlers.ts'
import { activityHandler } from '#server/engines/record/record-activity.ts'
import { searchHandler } from '#server/engines/record/search-records.ts'
import { trashRecords } from '#server/engines/record/trash-records.ts'
import { requireSeesPrivate, requireVisibleAccount } from '#server/access/require.ts'
import { NOT_THIS_ACCOUNT, NOT_THIS_ID, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { cancelArchive, removeArchive, repeatArchive, requestArchive } from './archive.commands.ts'
import { listDownloads, pendingArchives, presentArchive } from './archive.presenter.ts'
import { findArchive, type ArchiveRecord } from './archives.queries.ts'
import { assignProperties, changeFiles, restoreFiles } from './bulk.commands.ts'
import { downloadable } from './downloadable.queries.ts'
import { fileModel, patchFile, requireFiles } from './files.commands.ts'
import { FILE_SEARCH, fileDatatable } from './files.datatable.ts'
import { presentFile } from './files.presenter.ts'
import { findFile, type FileRecord } from './files.queries.ts'
import { openArchive, requireDownloadable } from './open-archive.commands.ts'
import { downloadLink, previewLink, recordView } from './open.commands.ts'
import { registerFile } from './register.commands.ts'
import { countUnread, plainText, searchTexts } from './texts.queries.ts'
import { abortMultipart, completeMultipart, listParts, signPart, signUpload, startMultipart } from './uploads.commands.ts'

const FLAGS = {
  set_private: { flags: { private: true }, label: 'private' },
  set_disclosed: { flags: { private: false }, label: 'disclosed' },
  set_sov: { flags: { sov: true }, label: 'as submission document' },
  unset_sov: { flags: { sov: false }, label: 'as disclosed document' },
} as const

/** The fields of the body that belong to one action. */
const INPUTS = { input: 'assign_properties', fields: 'set_values', before: 'restore_values' } as const

/** Rejects fields of another action, and documents for an action that names them in `before`. */
function requireEffect(action: string, body: BodyOf<typeof fileCalls.fileAction>): void {
  for (const name of ['input', 'fields', 'before'] as const)
    if (body[name] !== undefined && INPUTS[name] !== action) throw invalid({ [name]: [`Only the action ${INPUTS[name]} has this.`] })
  if (action === 'restore_values' && body.files !== 'all') throw invalid({ files: ['The documents are those in before.'] })
}

/** Clients can repeat the account of the path. */
function requireSame(accountId: string, repeated: unknown): void {
  if (repeated !== undefined && repeated !== accountId) throw invalid({ account_id: [NOT_THIS_ACCOUNT] })
}

/** Runs the action of the call, which clients send in the body, in its `params` or in the query. */
async function act(ctx: Context, accountId: string, action: string, body: BodyOf<typeof fileCalls.fileAction>) {
  const { files, input, fields, before, account_id } = body
  requireSame(accountId, account_id)
  requireEffect(action, body)
  const isDownload = action === 'archive' || action === 'document_list'
  // All documents are a download of the account. Linking is also a command of the list of uploads.
  if (!(isDownload && files === 'all') && action !== 'assign_properties' && !can(ctx.viewer, 'view_account_files_datatable_actions'))
    throw forbidden()
  if (isDownload) {
    const source = action === 'document_list' ? 'document-list' : files === 'all' ? 'downloadall' : 'fileselection'
    const archive = await requestArchive(ctx, {
      account_id: accountId,
      source,
      selected_ids: files === 'all' ? null : [...new Set(files)].sort(),
    })
    return { ...(await startedDownload(ctx, archive)), extra: {} }
  }
  if (!can(ctx.viewer, 'update_account_files')) throw forbidden()
  if (action === 'restore_values') {
    if (before === undefined) throw invalid({ before: ['Send the previous values.'] })
    await restoreFiles(ctx, accountId, before)
    return { data: null, message: 'The change was undone.', extra: {} }
  }
  const ids = await requireFiles(ctx, accountId, files)
  if (action === 'assign_properties') {
    if (input === undefined) throw invalid({ input: ['Choose the properties.'] })
    return undoable(await assignProperties(ctx, accountId, ids, input), LINKED[input.mode])
  }
  if (action === 'set_values') {
    if (fields === undefined || Object.keys(fields).length === 0) throw invalid({ fields: ['Choose a value to change.'] })
    const values = fields.category === undefined ? fields : { ...fields, sov: DOCUMENT_CATEGORIES[fields.category].sov }
    const changed = await changeFiles(ctx, accountId, ids, values, (name) => `{user} changed ${valuesText(fields)} of ${name}`)
    return undoable(changed, 'The documents were changed.')
  }
  const chosen = Object.entries(FLAGS).find(([name]) => name === action)?.[1]
  if (chosen === undefined) throw invalid({ action: ['This action does not exist.'] })
  const { flags, label } = chosen
  const changed = await changeFiles(ctx, accountId, ids, flags, (name) => `{user} marked ${name} ${label}`)
  return undoable(changed, 'The documents were changed.')
}

/** A download that was started, with a message that says what it does not contain. */
async function startedDownload(ctx: Context, archive: ArchiveRecord) {
  const data = await presentArchive(ctx, archive)
  if (data.status !== 'accessible') return { data, message: 'Preparing your file to download, please wait...' }
  const leftOut = data.content ? leftOutText(data.content) : undefined
  return { data, message: leftOut === undefined ? 'Your download is ready.' : `Your download is ready: ${leftOut}.` }
}

const LINKED = {
  add: 'The documents were linked.',
  replace: 'The links were replaced.',
  remove: 'The links were removed.',
} as const satisfies Record<NonNullable<BodyOf<typeof fileCalls.fileAction>['input']>['mode'], string>

const VALUE_NAMES = {
  category: 'the category',
  report_author_date: 'the report date',
  provided_by_broker: 'the mark “Provided by broker”',
  covers_all_properties: 'the mark “Covers all properties”',
} as const

const valuesText = (fields: object): string => {
  const names = Object.entries(VALUE_NAMES).flatMap(([name, text]) => (name in fields ? [text] : []))
  return names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

/** The previous values are left out if a browser could not send them back in one request. */
function undoable(before: FileBefore[], message: string) {
  const entries = before.reduce((sum, { properties = [] }) => sum + 2 + properties.length, 0)
  return { data: null, message, extra: entries > UNDO_ENTRIES_MAX ? {} : { before } }
}

const UNDO_ENTRIES_MAX = 15_000

/** Position of a document in the list with this query, and the ids before and after it. */
async function adjacentFiles(ctx: Context, accountId: string, id: string, { filter__sov: sov, ...query }: Record<string, unknown>) {
  const flag = typeof sov === 'boolean' ? { filter__sov: sov ? '1' : '0' } : {}
  const list = IndexQuery.parse({ ...query, ...flag, filter__account_id: accountId, page: 1, paginate: PAGE_SIZE_MAX })
  const { applied } = await accepted(ctx, fileDatatable, list) // rejects the trash filter without the permission
  const ids = await listOrder(ctx, fileDatatable, applied)
  const index = ids.indexOf(id)
  return {
    previous_id: index > 0 ? (ids[index - 1] ?? null) : null,
    next_id: index >= 0 ? (ids[index + 1] ?? null) : null,
    position: index + 1,
    total: ids.length,
  }
}

/** A document that the viewer opens, downloads or previews, so that it is no longer new to them. */
async function openFile(ctx: Context, accountId: string, id: string): Promise<FileRecord> {
  const file = await findFile(ctx, accountId, id)
  await markOpened(ctx, fileDatatable, file)
  return file
}

/** Without the signature of a link, no archive is found. */
const requireFileOrAccount: RequireRecord = async (ctx, { id = '', file_id }, { path }) => {
  if (path === fileCalls.removeDownload.path || path === fileCalls.repeatDownload.path) throw notFound('Download')
  if (path === fileCalls.downloadArchive.path) throw notFound('Archive')
  return file_id === undefined ? requireVisibleAccount(ctx.db, ctx.viewer, id) : findFile(ctx, id, file_id)
}

export const fileRoutes = implement(
  fileCalls,
  {
    ...listHandlers(fileDatatable, fileCalls.index),
    ...trashHandlers(fileModel),
    ...searchHandler(fileDatatable, FILE_SEARCH),
    ...activityHandler(fileModel),
    searchTexts: async ({ ctx, query }) => ({ data: await searchTexts(ctx, query) }),
    unreadTexts: async ({ ctx, query }) => ({ data: await countUnread(ctx, query) }),
    listInAccount: async ({ ctx, params, query: { account_id, ...query } }) => {
      await requireVisibleAccount(ctx.db, ctx.viewer, params.id)
      requireSame(params.id, account_id)
      const { rows, meta, message } = await listPage(ctx, fileDatatable, IndexQuery.parse({ ...query, filter__account_id: params.id }))
      return { data: rows.map(({ file }) => file), message, extra: { meta } }
    },
    register: async ({ ctx, body }) => {
      if (body.private === true) requireSeesPrivate(ctx.viewer, await requireVisibleAccount(ctx.db, ctx.viewer, body.account_id))
      const { isNew, ...file } = await registerFile(ctx, body)
      if (!isNew) return { data: file, message: 'This upload is a document already.' }
      return { status: 201, data: file, message: 'The document was added.' }
    },
    show: async ({ ctx, params, query }) => {
      requireSame(params.id, query.account_id)
      if (!isSame(params.file_id, query.file_id)) throw invalid({ file_id: [NOT_THIS_ID] })
      const archive = await findArchive(ctx, params.file_id)
      if (archive !== undefined && archive.account_id === params.id) {
        await requireDownloadable(ctx, archive)
        return { data: await presentArchive(ctx, archive) }
      }
      const file = await openFile(ctx, params.id, params.file_id)
      return { data: presentFile(ctx.viewer, file, await downloadLink(ctx, file, query.file_name)) }
    },
    patch: async ({ ctx, params, body }) => ({
      data: presentFile(ctx.viewer, await patchFile(ctx, params.id, params.file_id, body)),
      message: 'The document was saved.',
    }),
    preview: async ({ ctx, params }) => ({ data: await previewLink(ctx, await openFile(ctx, params.id, params.file_id)) }),
    plainText: async ({ ctx, params }) => {
      const file = await openFile(ctx, params.id, params.file_id)
      if (!fileRules(ctx.viewer, file).preview) throw forbidden()
      await recordView(ctx, file)
      return { data: await plainText(ctx, file.id) }
    },
    details: async ({ ctx, params, query }) => {
      const file = await openFile(ctx, params.id, params.file_id)
      return { data: { ...presentFile(ctx.viewer, file), ...(await adjacentFiles(ctx, params.id, file.id, query)) } }
    },
    removeInAccount: async ({ ctx, params, body }) => {
      await requireFiles(ctx, params.id, body.ids, 'any')
      return done(trashRecords(ctx, fileModel, body.ids), 'Moved to the trash.')
    },
    fileAction: async ({ ctx, params, query, body }) => {
      const named = [body.action, body.params?.action, query.action]
      if (!isSame(...named)) throw invalid({ action: ['Please send one action.'] })
      return act(ctx, params.id, named.find((action) => action !== undefined) ?? '', body)
    },
    cancelArchive: ({ ctx, params }) => done(cancelArchive(ctx, params.file_id), 'Download canceled.'),
    downloads: async ({ ctx }) => ({ data: await listDownloads(ctx) }),
    downloadable: async ({ ctx, params }) => ({ data: await downloadable(ctx, params.id) }),
    repeatDownload: async ({ ctx, params }) => startedDownload(ctx, await repeatArchive(ctx, params.id)),
    removeDownload: ({ ctx, params }) => done(removeArchive(ctx, params.id), 'The download was deleted.'),
    pendingArchives: async ({ ctx }) => ({ data: await pendingArchives(ctx) }),
    downloadArchive: async ({ ctx, params, query }) => {
      const opened = await openArchive(ctx, params.id, query)
      if (opened.list !== undefined) return attachment(opened.list, opened.fileName)
      return { serve: (request, reply) => serveZip(request, reply, opened.layout, ctx.storage, opened) }
    },
    signedUrl: async ({ ctx, params, body }) => ({ data: await signUpload(ctx, params.id, body) }),
    startMultipart: async ({ ctx, params, body }) => ({ data: await startMultipart(ctx, params.id, body) }),
    listParts: async ({ ctx, params }) => ({ data: await listParts(ctx, params.id, params.upload_id) }),
    signPart: async ({ ctx, params, body }) => ({ data: await signPart(ctx, params.id, params.upload_id, body.number) }),
    completeMultipart: async ({ ctx, params, body }) => ({ data: await completeMultipart(ctx, params.id, params.upload_id, body.parts) }),
    abortMultipart: ({ ctx, params }) => done(abortMultipart(ctx, params.id, params.upload_id), 'Upload canceled.'),
  },
  requireFileOrAccount,
)
