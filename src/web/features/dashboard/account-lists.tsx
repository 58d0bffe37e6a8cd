import { Tabs } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '#contract/format.ts'
import { initCalls } from '#contract/init.ts'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { initQuery, useCan, useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { AccountList } from './account-table.tsx'
import classes from './account-lists.module.css'

const RECENT = { sort: 'updated_at', order: 'desc', paginate: String(PAGE_SIZE) }

/** The lists of the dashboard; `empty` is shown when a list has no accounts. */
const LISTS = [
  {
    name: 'favorite',
    title: 'Favorite Accounts',
    query: queries.index('accounts', { ...RECENT, filter__favorites: '1', paginate: String(PAGE_SIZE_MAX) }),
    empty: 'Mark an account with the star to add it to this list.',
  },
  {
    name: 'invited',
    title: 'Invited Accounts',
    query: queries.index('accounts', { ...RECENT, filter__invites: '1' }),
    empty: 'Accounts that others invite you to appear here.',
  },
  {
    name: 'recent',
    title: 'Recently Active Accounts',
    query: queries.index('accounts', RECENT),
    empty: 'Accounts appear here as soon as something happens on them.',
  },
] as const
const DEFAULT = LISTS[2]
type List = (typeof LISTS)[number]

/** True once the answer shows that the user has no accounts. */
export function useHasNoAccounts(): boolean {
  return useQuery(DEFAULT.query).data?.meta.total === 0
}

export function AccountLists() {
  const [chosen, choose] = useChosenList()
  const can = useCan()
  return (
    <section className={classes['card']} aria-label="Your accounts">
      <Tabs value={chosen.name} onChange={(value) => choose(LISTS.find(({ name }) => name === value) ?? chosen)} keepMounted={false}>
        <Tabs.List className={classes['tabs'] ?? ''}>
          {LISTS.map((list) => (
            <Tabs.Tab key={list.name} value={list.name} rightSection={<Count list={list} />}>
              {list.title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LISTS.map(({ name, ...list }) => (
          <Tabs.Panel key={name} value={name}>
            <AccountList {...list} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {can('view_accounts_component') && (
        <div className={classes['foot']}>
          {chosen.name === 'invited' ? (
            <Link to={paths.invitedAccounts()}>View All Invited Accounts</Link>
          ) : (
            <Link to={paths.accounts()}>View All Accounts</Link>
          )}
        </div>
      )}
    </section>
  )
}

/** The recent accounts are a selection of all accounts, so they show no count. */
function Count({ list: { name, query } }: { list: List }) {
  const total = useQuery(query).data?.meta.total
  return total === undefined || name === 'recent' ? null : <span className={classes['count']}>{formatNumber(total)}</span>
}

const SETTING = 'dashboardAccounts'

const titleOf = (setting: unknown): unknown =>
  typeof setting === 'object' && setting !== null && 'title' in setting ? setting.title : undefined

/** The list that the user chose last, stored in their settings by its title. */
function useChosenList(): [List, (list: List) => void] {
  const client = useQueryClient()
  const { dashboard } = useSession().settings
  const stored = titleOf(dashboard[SETTING])
  // A failed save shows no error: the choice still applies to this page, and the next visit starts with the default list.
  const { mutate: save } = useMutation({
    mutationFn: (value: object) => api(initCalls.saveSetting, { params: { key: 'dashboard' }, body: { value } }),
  })
  const choose = ({ title }: List) => {
    const value = { ...dashboard, [SETTING]: { title } }
    client.setQueryData(initQuery.queryKey, (init) => init && { ...init, settings: { ...init.settings, dashboard: value } })
    save(value)
  }
  return [LISTS.find(({ title }) => title === stored) ?? DEFAULT, choose]
}
