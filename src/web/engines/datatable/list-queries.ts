import { MODELS, declarationOf } from '#contract/models.ts'
import { isPermission, type PermissionName } from '#contract/permissions.ts'
import { queries, type ListedModel } from '#web/data/queries.ts'
import { queryClient } from '#web/data/query-client.ts'
import { can, initQuery } from '#web/data/session.ts'
import type { SearchParams } from '#web/search-params.ts'
import { indexQuery, isUnopenedView, readListState } from './list-address.ts'

/** What the user may do with the list of a model, by the names of its permissions. */
export function listRights(model: ListedModel, allowed: (permission: PermissionName) => boolean) {
  const has = (name: string) => isPermission(name) && allowed(name)
  const { controlledBy: controls = model, actionsWithList } = declarationOf(model)
  const view = allowed(MODELS[model].list)
  return {
    view,
    search: has(`view_${controls}_datatable_search`),
    filters: has(`view_${controls}_datatable_filters`),
    columns: has(`view_${controls}_datatable_column_settings`),
    create: has(`create_${model}`),
    /** Whether rows have a checkbox and a menu. */
    actions: actionsWithList === true ? view : has(`view_${controls}_datatable_actions`),
    update: has(`update_${model}`),
    delete: has(`delete_${model}`),
  }
}

/** Loads what a list needs as soon as the session is known, while the code of the list is still loading. */
export async function prefetchList(model: ListedModel, params: SearchParams): Promise<void> {
  const session = await queryClient.query({ ...initQuery, staleTime: 'static' }).catch(ignore)
  if (session === undefined) return
  const rights = listRights(model, (permission) => can(session, permission))
  if (!rights.view) return
  const query = indexQuery(readListState(params), {
    savedPerPage: session.settings.datatable[model]?.perPage,
    defaultSort: declarationOf(model).order,
  })
  if (isUnopenedView(params)) queryClient.query(queries.savedViews(model)).catch(ignore)
  else queryClient.query(queries.index(model, query)).catch(ignore)
  queryClient.query(queries.columns(model)).catch(ignore)
  if (rights.filters) queryClient.query(queries.filters(model)).catch(ignore)
  if (rights.actions) queryClient.query(queries.actions(model)).catch(ignore)
}

/** The list retries a failed query and shows its error. */
const ignore = () => undefined
