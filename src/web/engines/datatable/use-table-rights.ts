import { useMemo } from 'react'
import { isPermission } from '#contract/permissions.ts'
import type { ListedModel } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import type { Rights } from './row-command.ts'

export interface TableRights extends Rights {
  search: boolean
  filters: boolean
  columns: boolean
  create: boolean
  update: boolean
}

/** What a person may do with the list of a model, by the names of spec S1 section 6. */
export function useTableRights(model: ListedModel): TableRights {
  const can = useCan()
  return useMemo(() => {
    const may = (name: string) => isPermission(name) && can(name)
    return {
      search: may(`view_${model}_datatable_search`),
      filters: may(`view_${model}_datatable_filters`),
      columns: may(`view_${model}_datatable_column_settings`),
      act: may(`view_${model}_datatable_actions`),
      create: may(`create_${model}`),
      update: may(`update_${model}`),
      delete: may(`delete_${model}`),
    }
  }, [model, can])
}
