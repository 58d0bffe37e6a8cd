import { useQuery } from '@tanstack/react-query'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/limits.ts'
import { queries, type ListQuery } from '#web/data/queries.ts'

export interface DashboardList {
  title: string
  query: ListQuery
  /** What to say when it is empty. */
  none: string
}

const RECENT = { sort: 'updated_at', order: 'desc', paginate: String(PAGE_SIZE) }

/** The three lists of the dashboard (S1 2.3, decisions Q47), by what remembers them. */
export const DASHBOARD_LISTS = {
  favorite: {
    title: 'Favorite Accounts',
    query: { ...RECENT, filter__favorites: '1', paginate: String(PAGE_SIZE_MAX) },
    none: 'Mark an account with the star to keep it here.',
  },
  invited: {
    title: 'Invited Accounts',
    query: { ...RECENT, filter__invites: '1' },
    none: 'Accounts that others invite you to appear here.',
  },
  recent: { title: 'Recently Active Accounts', query: RECENT, none: 'Accounts appear here as soon as something happens on them.' },
} as const satisfies Record<string, DashboardList>
export type DashboardListName = keyof typeof DASHBOARD_LISTS
export const DASHBOARD_LIST_NAMES = ['favorite', 'invited', 'recent'] as const satisfies readonly DashboardListName[]

export const useAccountList = (name: DashboardListName) => useQuery(queries.index('accounts', DASHBOARD_LISTS[name].query))

/** True once it is known that the person sees no account at all. */
export function useHasNoAccounts(): boolean {
  return useAccountList('recent').data?.meta.total === 0
}
