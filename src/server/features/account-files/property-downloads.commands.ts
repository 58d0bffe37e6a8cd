import type { ActionBody, Export, ExportAction } from '#contract/datatable.ts'
import type { propertyCalls } from '#contract/account-properties.ts'
import type { BodyOf } from '#contract/route.ts'
import type { z } from 'zod'
import { familyOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { serveZip } from '#server/engines/archive/zip-serve.ts'
import { attachment } from '#server/engines/datatable/list-routes.ts'
import type { Handlers } from '#server/engines/http/answer.ts'
import { invalid } from '#server/kernel/errors.ts'
import { requestArchive } from './archive.commands.ts'
import { presentArchive } from './archive.presenter.ts'
import { readArchive } from './open-archive.commands.ts'

type Kind = 'property-list' | 'with-documents'

/** The same selection in another order is the same request. */
const sortedIds = (ids: readonly string[] | undefined) => (ids === undefined ? null : [...new Set(ids)].sort())

/** The property list, or the archive with the documents of the properties, as the answer; an archive that is not ready as JSON. */
export async function downloadProperties(
  ctx: Context,
  kind: Kind,
  { account_id, ids }: BodyOf<typeof propertyCalls.download>,
): ReturnType<Handlers<Pick<typeof propertyCalls, 'download'>>['download']> {
  const archive = await requestArchive(ctx, { account_id, source: kind, selected_ids: sortedIds(ids) })
  if (archive.status !== 'accessible')
    return { data: await presentArchive(ctx, archive), message: 'Preparing your file to download, please wait...' }
  const opened = await readArchive(ctx, archive.id, familyOf(ctx.viewer))
  if (opened.list !== undefined) return attachment(opened.list, opened.fileName)
  return { serve: (request, reply) => serveZip(request, reply, opened.layout, ctx.storage, opened) }
}

/** The same as the action `export_excel` of the list with the handle `json`: a download of all properties of an account, or of the selected ones. */
export async function prepareProperties(ctx: Context, body: ActionBody & { action: ExportAction }): Promise<z.input<typeof Export>> {
  const { account_id, action, input, selectedIds, with_documents } = body
  if (action !== 'export_excel') throw invalid({ handle: ['This action answers blob.'] })
  if (account_id === undefined) throw invalid({ account_id: ['Please send the account.'] })
  if (input !== 'all' && selectedIds.length === 0) throw invalid({ selectedIds: ['Please select at least one record.'] })
  const other = Object.keys(body.filters).filter((name) => name !== 'filter__account_id')
  if (other.length > 0)
    throw invalid({ filters: ['The property list has all properties of the account. Export the list for a part of them.'] })
  if (body.columns !== undefined) throw invalid({ columns: ['The property list has its own columns.'] })
  if (typeof body.fileName === 'string') throw invalid({ fileName: ['The property list has its own name.'] })
  const source: Kind = with_documents === true ? 'with-documents' : 'property-list'
  const archive = await requestArchive(ctx, { account_id, source, selected_ids: input === 'all' ? null : sortedIds(selectedIds) })
  const { status, file, url } = await presentArchive(ctx, archive)
  return { id: archive.id, account_id, status, file: { original_file_name: file.original_file_name }, source, url }
}
