import { useMutation, useQueryClient } from '@tanstack/react-query'
import { initCalls } from '#contract/init.ts'
import { api } from '#web/data/client.ts'
import { initQuery, useSession } from '#web/data/session.ts'
import { DASHBOARD_LISTS, DASHBOARD_LIST_NAMES, type DashboardListName } from './use-account-lists.ts'

const KEY = 'dashboardAccounts'

const titleOf = (setting: unknown): unknown =>
  typeof setting === 'object' && setting !== null && 'title' in setting ? setting.title : undefined

/** The list looked at last, remembered for the person by its title (decisions Q45). */
export function useChosenList(): [DashboardListName, (name: DashboardListName) => void] {
  const client = useQueryClient()
  const { dashboard } = useSession().settings
  const title = titleOf(dashboard[KEY])
  const chosen = DASHBOARD_LIST_NAMES.find((name) => DASHBOARD_LISTS[name].title === title) ?? 'recent'
  // Not told when it fails: the choice holds on this page, and the next visit begins with the usual list.
  const { mutate: save } = useMutation({
    mutationFn: (value: object) => api(initCalls.saveSetting, { params: { key: 'dashboard' }, body: { value } }),
  })
  const choose = (name: DashboardListName) => {
    const value = { ...dashboard, [KEY]: { title: DASHBOARD_LISTS[name].title } }
    client.setQueryData(initQuery.queryKey, (init) => init && { ...init, settings: { ...init.settings, dashboard: value } })
    save(value)
  }
  return [chosen, choose]
}
