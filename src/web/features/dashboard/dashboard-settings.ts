import { z } from 'zod'
import { initCalls } from '#contract/init.ts'
import { DUE_DAYS, DUE_DAYS_DEFAULT } from '#contract/submissions.ts'
import { codesOf } from '#contract/code-lists.ts'
import { api } from '#web/data/client.ts'
import { queryClient } from '#web/data/query-client.ts'
import { initQuery, useSession } from '#web/data/session.ts'

const Settings = z.object({
  dashboardAccounts: z.object({ title: z.string() }).optional().catch(undefined),
  dueDays: z.enum(codesOf(DUE_DAYS)).catch(DUE_DAYS_DEFAULT),
})
type Settings = z.output<typeof Settings>

/** What the user chose on the dashboard last, stored in their settings. */
export function useDashboardSettings(): [Settings, (change: Partial<Settings>) => void] {
  const { dashboard } = useSession().settings
  const save = (change: Partial<Settings>) => {
    const value = { ...dashboard, ...change }
    queryClient.setQueryData(initQuery.queryKey, (init) => init && { ...init, settings: { ...init.settings, dashboard: value } })
    // A failed save shows no error: the choice still applies to this page, and the next visit starts with the default.
    api(initCalls.saveSetting, { params: { key: 'dashboard' }, body: { value } }).catch(() => undefined)
  }
  return [Settings.parse(dashboard), save]
}
