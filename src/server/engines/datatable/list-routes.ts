import type { z } from 'zod'
import {
  EXPORTS,
  type Export,
  isExport,
  type ActionBody,
  type Column,
  type ExportAction,
  type Filter,
  type IndexQuery,
  type RowAction,
} from '#contract/datatable.ts'
import { optionsOf } from '#contract/form.ts'
import { formatNumber } from '#contract/format.ts'
import { BULK_ROWS_MAX } from '#contract/limits.ts'
import { MODELS } from '#contract/models.ts'
import { codesOf } from '#contract/code-lists.ts'
import type { Readable } from 'node:stream'
import type { Call } from '#contract/route.ts'
import { can, viaOf } from '#server/access/viewer.ts'
import { forbidden, invalid, notFound, tooLarge } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { storedJson } from '../http/compress.ts'
import { type Caller, envelope } from '../http/answer.ts'
import { contentDisposition } from '../storage/download.ts'
import { accepted, canUse, columnsFor, filtersFor, seesTrash } from './conditions.ts'
import { isDateColumn, type ActionDefinition, type Datatable } from './define-datatable.ts'
import { exportFile, exportList } from './export-list.ts'
import { contentEtag, currentEtag, etagOf, listRequest } from './list-version.ts'
import { listIds, listPage, visibleIds } from './index-list.ts'

export type ListCall = { ctx: Context; caller: Caller }

/** The handlers of `listCalls`. `index` is the call whose output schema the rows pass. */
export function listHandlers(table: Datatable, index: Call) {
  return {
    index: async ({ ctx, query, caller }: ListCall & { query: IndexQuery }) => {
      if (viaOf(ctx.viewer) !== undefined) return pageByContent(ctx, table, { index, query, caller })
      const request = listRequest(ctx, table, query)
      // The version is read by itself only if that may save reading the page; otherwise it comes with the page.
      if (caller.isConditional || ctx.listCache.hasRequest(request.requestKey)) {
        const etag = await currentEtag(ctx, request)
        if (caller.has(etag)) return { ready: { etag, json: undefined } }
        const cached = ctx.listCache.get(etag)
        if (cached !== undefined) return { ready: { etag, json: cached } }
      }
      const { rows, meta, message, version } = await listPage(ctx, table, query, request.version)
      const json = storedJson(envelope(index, { data: rows, message, extra: { meta } }))
      const etag = etagOf(request, version)
      ctx.listCache.set(request.requestKey, etag, json)
      return { ready: { etag, json } }
    },
    columns: async ({ ctx }: ListCall) => ({ data: await columnsOf(ctx, table) }),
    filters: async ({ ctx }: ListCall) => ({ data: await filtersOf(ctx, table) }),
    actions: async ({ ctx }: ListCall) => ({ data: actionsFor(ctx, table) }),
    act: ({ ctx, body }: ListCall & { body: ActionBody }) => act(ctx, table, body),
  }
}

/**
 * The page with an ETag of its content. List versions also change with what people from outside do not see, such as a private document, so they
 * get none.
 */
async function pageByContent(ctx: Context, table: Datatable, { index, query, caller }: { index: Call; query: IndexQuery; caller: Caller }) {
  const { rows, meta, message } = await listPage(ctx, table, query)
  const text = envelope(index, { data: rows, message, extra: { meta } })
  const etag = contentEtag(text)
  return { ready: { etag, json: caller.has(etag) ? undefined : storedJson(text) } }
}

async function columnsOf(ctx: Context, table: Datatable): Promise<z.input<typeof Column>[]> {
  const columns = [...columnsFor(ctx, table)].map(async ([src, column]) => ({
    src,
    label: column.label,
    sort: column.sort === undefined ? null : src,
    sortable: column.sort !== undefined,
    primary: column.primary ?? false,
    disabled: column.disabled ?? column.primary ?? false,
    default: typeof column.default === 'function' ? await column.default(ctx) : (column.default ?? true),
    width: column.width ?? null,
    classes: column.align === 'right' ? 'number' : isDateColumn(src) ? 'date' : '',
    icon_only: column.iconOnly ?? false,
  }))
  return Promise.all(columns)
}

const TRASH_OPTIONS = { with: 'With trashed', only: 'Only trashed' }
const TRASH_FILTER = { name: 'trashed', label: 'Trash', type: 'select', options: optionsOf(TRASH_OPTIONS), default: null } as const

async function filtersOf(ctx: Context, table: Datatable): Promise<z.input<typeof Filter>[]> {
  const visible = [...filtersFor(ctx, table)].filter(([, filter]) => filter.hidden !== true && canUse(ctx, table, filter))
  const described = visible.map(async ([name, { label, help, type, options, default: preset = null }]) => ({
    name,
    label,
    help,
    type,
    default: preset,
    options: (await options?.(ctx)) ?? [],
  }))
  return [...(await Promise.all(described)), ...(seesTrash(ctx, table) ? [TRASH_FILTER] : [])]
}

function actionsFor(ctx: Context, table: Datatable): z.input<typeof RowAction>[] {
  const own = Object.entries(table.actions)
    .filter(([, action]) => can(ctx.viewer, action.can))
    .map(([action, { label, prompt = null, file, undo, rule }]) => ({ action, label, prompt, ...fileOf(file), undo, rule }))
  const exports = can(ctx.viewer, table.canExport) ? codesOf(EXPORTS).filter((action) => !Object.hasOwn(table.actions, action)) : []
  const described = (action: ExportAction) => ({ action, label: EXPORTS[action].label, prompt: null, ...fileOf(exportFile(table, action)) })
  return [...own, ...exports.map(described)]
}

const fileOf = (file: ActionDefinition['file']) =>
  ({
    handle: file === undefined ? 'json' : 'blob',
    fileName: file?.name ?? null,
    supportsPrefix: file?.supportsPrefix ?? false,
  }) as const

async function act(ctx: Context, table: Datatable, body: ActionBody) {
  const action = Object.hasOwn(table.actions, body.action) ? table.actions[body.action] : undefined
  if (action === undefined && isExport(body.action)) return runExport(ctx, table, { ...body, action: body.action })
  if (action === undefined) throw invalid({ action: [`This action is not known.${knownActions(ctx, table)}`] })
  if (!can(ctx.viewer, action.can)) throw forbidden()
  requireEffect(table, action.file, body)
  if (body.columns !== undefined) throw invalid({ columns: ['Only exports have columns.'] })
  requireOpposite(table, body)
  const ids = await selected(ctx, table, body)
  const input = body.input === 'all' ? {} : body.input
  if (action.file === undefined) {
    const done = await action.run(ctx, ids, input, body.versions)
    const { message, changed } = typeof done === 'string' ? { message: done, changed: [] } : done
    return { data: null, message, extra: { export: null, changed } }
  }
  return attachment(await action.run(ctx, ids, input), body.fileName ?? action.file.name)
}

async function runExport(ctx: Context, table: Datatable, body: ActionBody & { action: ExportAction }) {
  if (!can(ctx.viewer, table.canExport)) throw forbidden()
  // Without it, lists have no check boxes, and the toolbar exports all rows of the view.
  if (body.input !== 'all' && table.canSelect !== undefined && !can(ctx.viewer, table.canSelect)) throw forbidden()
  if (body.handle === 'json' && table.prepareExport !== undefined) return prepared(await table.prepareExport(ctx, body))
  const file = exportFile(table, body.action)
  requireEffect(table, file, body)
  requireOpposite(table, body)
  requireSelection(body)
  return attachment(await exportList(ctx, table, body), body.fileName ?? file.name)
}

const prepared = (download: z.input<typeof Export>) => ({
  data: null,
  message: download.status === 'accessible' ? 'Your download is ready.' : 'Preparing your file to download, please wait...',
  extra: { export: download, changed: [] },
})

/** A file as the answer of a call. */
export const attachment = ({ contentType, body }: { contentType: string; body: Buffer | Readable }, fileName: string) => ({
  headers: {
    'content-type': contentType,
    'content-disposition': contentDisposition('attachment', fileName),
    'cache-control': 'no-store',
  },
  body,
})

/** The names that the viewer can send. */
function knownActions(ctx: Context, table: Datatable): string {
  const names = actionsFor(ctx, table).map(({ action }) => action)
  return names.length === 0 ? '' : ` Known: ${names.join(', ')}.`
}

/** Only the opposite of another action undoes one. */
function requireOpposite({ actions }: Datatable, { action, versions }: ActionBody): void {
  if (versions !== undefined && !Object.values(actions).some(({ undo }) => undo === action))
    throw invalid({ versions: ['This action does not undo another one.'] })
}

/** Rejects what the client expects of an action and would not get. */
function requireEffect(
  table: Datatable,
  file: ActionDefinition['file'],
  { handle, fileName, with_documents, account_id }: ActionBody,
): void {
  const answers = file === undefined ? 'json' : 'blob'
  if (handle !== undefined && handle !== answers) throw invalid({ handle: [`This action answers ${answers}.`] })
  if (with_documents === true) throw invalid({ with_documents: ['This action has no documents.'] })
  if (account_id !== undefined && table.accountColumn === undefined) throw invalid({ account_id: ['This list is not divided by account.'] })
  if (fileName === undefined || fileName === null || fileName === file?.name) return
  if (file === undefined) throw invalid({ fileName: ['This action makes no file.'] })
  const isPrefixed = file.supportsPrefix === true && fileName.endsWith(file.name) && !/[/\\\n\r]/.test(fileName)
  if (!isPrefixed)
    throw invalid({ fileName: [`Please use the name ${file.name}${file.supportsPrefix === true ? ' after a prefix' : ''}.`] })
}

/** The ids of the records that an action is for. Throws `notFound` unless the viewer sees all of them, and at least one. */
async function selected(ctx: Context, table: Datatable, { input, filters, selectedIds, account_id }: ActionBody): Promise<string[]> {
  const inAccount = account_id === undefined ? {} : { filter__account_id: account_id }
  const query = { ...filters, ...inAccount }
  const { message } = input === 'all' ? await accepted(ctx, table, query) : { message: '' }
  // An ignored filter would extend the action to more records than the client meant.
  if (message !== '') throw invalid({ filters: [message] })
  requireSelection({ input, selectedIds })
  const ids = input === 'all' ? await listIds(ctx, table, query, BULK_ROWS_MAX + 1) : await visibleIds(ctx, table, selectedIds, inAccount)
  if (ids.length > BULK_ROWS_MAX) throw tooLarge(tooManyRows(table))
  const requested = input === 'all' ? ids.length : new Set(selectedIds).size
  if (ids.length === 0 || ids.length !== requested) throw notFound('One of the selected records was')
  return ids
}

const tooManyRows = ({ model }: Datatable) =>
  `An action changes at most ${formatNumber(BULK_ROWS_MAX)} ${MODELS[model].many}, and this list has more. Nothing was changed. Narrow the list with a search or a filter.`

function requireSelection({ input, selectedIds }: Pick<ActionBody, 'input' | 'selectedIds'>): void {
  if (input !== 'all' && selectedIds.length === 0) throw invalid({ selectedIds: ['Please select at least one record.'] })
}
