import { useMutation, useQueryClient } from '@tanstack/react-query'
import { initCalls, type InitData, type TableSetting } from '#contract/init.ts'
import { api } from '#web/data/client.ts'
import type { ListedModel } from '#web/data/queries.ts'
import { initQuery, useSession } from '#web/data/session.ts'
import { showError } from '../show-error.ts'

const withSetting = (init: InitData, model: ListedModel, value: TableSetting): InitData => ({
  ...init,
  settings: { ...init.settings, datatable: { ...init.settings.datatable, [model]: value } },
})

/** Rows per page and visible columns of a list, remembered for the person (decisions Q44). */
export function useTableSetting(model: ListedModel): { setting: TableSetting; save: (patch: TableSetting) => void } {
  const client = useQueryClient()
  const setting = useSession().settings.datatable[model] ?? {}
  const saving = useMutation({
    mutationFn: (value: TableSetting) => api(initCalls.saveSetting, { params: { key: `datatable_${model}` }, body: { value } }),
    onError: (error) => showError(error),
  })
  const save = (patch: TableSetting) => {
    const value = { ...setting, ...patch }
    client.setQueryData(initQuery.queryKey, (init) => init && withSetting(init, model, value))
    saving.mutate(value)
  }
  return { setting, save }
}
