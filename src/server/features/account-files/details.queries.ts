import { IndexQuery } from '#contract/datatable.ts'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { listOrder } from '#server/engines/datatable/index-list.ts'
import { fileDatatable } from './files.datatable.ts'

/** Where a document stands among its neighbours in the order in which the list is being read (decisions Q64). */
export async function neighbours(ctx: Context, accountId: string, id: string, query: Record<string, unknown>) {
  const { filter__sov, ...rest } = query
  const flag = typeof filter__sov === 'boolean' ? { filter__sov: filter__sov ? '1' : '0' } : {}
  const asked = IndexQuery.parse({ ...rest, ...flag, filter__account_id: accountId, page: 1, paginate: PAGE_SIZE_MAX })
  const ids = await listOrder(ctx, fileDatatable, asked)
  const position = ids.indexOf(id)
  return {
    previous_id: position > 0 ? (ids[position - 1] ?? null) : null,
    next_id: position >= 0 ? (ids[position + 1] ?? null) : null,
    position: position + 1,
    total: ids.length,
  }
}
