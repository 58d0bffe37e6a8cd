import { isPermission } from '#contract/permissions.ts'
import { queries, type ListedModel } from '#web/data/queries.ts'
import { queryClient } from '#web/data/query-client.ts'
import { can, initQuery } from '#web/data/session.ts'
import { indexQuery, readListState } from './list-state.ts'

/** Asks for what a list is made of as soon as it is known who asks, while the code that draws it is still on its way. */
export async function loadListAhead(model: ListedModel, params: Readonly<Record<string, unknown>>): Promise<void> {
  const session = await queryClient.query({ ...initQuery, staleTime: 'static' }).catch(ignore)
  if (session === undefined) return
  const may = (name: string) => isPermission(name) && can(session, name)
  if (!may(`view_${model}_component`)) return
  const query = indexQuery(readListState(params), { savedPerPage: session.settings.datatable[model]?.perPage })
  queryClient.query(queries.index(model, query)).catch(ignore)
  queryClient.query(queries.columns(model)).catch(ignore)
  if (may(`view_${model}_datatable_filters`)) queryClient.query(queries.filters(model)).catch(ignore)
  if (may(`view_${model}_datatable_actions`)) queryClient.query(queries.actions(model)).catch(ignore)
}

/** The list asks again and shows the failure. */
const ignore = () => undefined
