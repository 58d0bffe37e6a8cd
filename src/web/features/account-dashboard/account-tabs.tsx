import { Tabs } from '@mantine/core'
import { Suspense, type ComponentType } from 'react'
import type { Account } from '#contract/accounts.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useCan } from '#web/data/session.ts'
import { formatNumber } from '#contract/format.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import classes from './account-tabs.module.css'
import { OrganizingNotice } from './organizing-notice.tsx'
import { Overview } from './overview.tsx'
import { useSimplified } from './use-simplified.ts'
import { useAccountTab, type ShownTab } from './use-account-tab.ts'

type TabComponent = ComponentType<{ accountId: string; uploadFirst: boolean }>
export interface TabComponents {
  properties: TabComponent
  files: TabComponent
}

const LABELS = { overview: 'Overview', properties: 'Properties', files: 'Documents' } as const satisfies Record<ShownTab, string>

function useOpenTabs(simplified: boolean): ShownTab[] {
  const can = useCan()
  const files = can('view_account_files') ? (['files'] as const) : []
  if (simplified) return [...files]
  return ['overview', ...(can('view_account_properties') ? (['properties'] as const) : []), ...files]
}

const countOf = (account: Account, tab: ShownTab): number | undefined =>
  ({ overview: undefined, properties: account.properties, files: account.files.total })[tab]

/** Overview, properties and documents; the chosen one stands in the address and is remembered per account. */
export function AccountTabs({ account, tabs }: { account: Account; tabs: TabComponents }) {
  const simplified = useSimplified(account)
  const open = useOpenTabs(simplified)
  const { tab, choose } = useAccountTab(account.id, open)
  return (
    <>
      {simplified && <OrganizingNotice account={account} />}
      <Tabs value={tab} onChange={(value) => choose(open.find((one) => one === value) ?? tab)} keepMounted={false}>
        <Tabs.List className={classes['list'] ?? ''}>
          {open.map((name) => (
            <Tabs.Tab key={name} value={name} rightSection={<TabCount count={countOf(account, name)} />}>
              {LABELS[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <TabContent account={account} tab={tab} tabs={tabs} uploadFirst={simplified} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

interface TabContentProps {
  account: Account
  tab: ShownTab
  tabs: TabComponents
  uploadFirst: boolean
}

function TabContent({ account, tab, tabs, uploadFirst }: TabContentProps) {
  if (tab === 'overview') return <Overview account={account} />
  const Content = tabs[tab]
  return (
    <Suspense fallback={<SkeletonRows rows={PAGE_SIZE} label={`Loading ${LABELS[tab].toLowerCase()}`} />}>
      <Content accountId={account.id} uploadFirst={uploadFirst} />
    </Suspense>
  )
}

function TabCount({ count }: { count: number | undefined }) {
  return count === undefined ? null : <span className={classes['count']}>{formatNumber(count)}</span>
}
