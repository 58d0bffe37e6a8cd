import { Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { ComponentType } from 'react'
import type { Account } from '#contract/accounts.ts'
import { formatNumber } from '#contract/format.ts'
import { useCan } from '#web/data/session.ts'
import { useTab, type Tab } from '#web/engines/account/account-tab.ts'
import { useIsCollecting } from '#web/engines/account/collecting.ts'
import { PageTitle } from '#web/ui/page-title.ts'
import { CollectingNotice } from './collecting-notice.tsx'
import { GuestOverview } from './guest-overview.tsx'
import classes from './guests.module.css'
import { Letterhead } from './letterhead.tsx'

type TabComponent = ComponentType<{ account: Account }>

interface GuestPageProps {
  account: Account
  /** What other features show in the tabs. */
  tabs: Record<'properties' | 'files', TabComponent>
}

/** An account as it was sent to people outside: who sent it, what can be downloaded, and what is insured. */
export function GuestPage({ account, tabs }: GuestPageProps) {
  const can = useCan()
  const isCollecting = useIsCollecting(account)
  const all: readonly (readonly [Tab, string, number | undefined, boolean])[] = [
    ['overview', 'Overview', undefined, !isCollecting],
    ['properties', 'Properties', account.properties ?? undefined, !isCollecting && can('view_account_properties')],
    ['files', 'Documents', account.files?.total, can('view_account_files')],
  ]
  const open = all.filter(([, , , isOpen]) => isOpen)
  const names = open.map(([name]) => name)
  const [tab, choose] = useTab(account.id, names)
  useHotkeys(names.map((name, index) => [String(index + 1), () => choose(name)]))
  const Content = tab === 'properties' || tab === 'files' ? tabs[tab] : GuestOverview
  return (
    <div className={classes['page']}>
      <PageTitle>{account.name.text}</PageTitle>
      <Letterhead account={account} withDownload={!isCollecting || (account.files?.total ?? 0) > 0} />
      {isCollecting && <CollectingNotice account={account} />}
      {open.length > 0 && (
        <Tabs value={tab} onChange={(value) => choose(names.find((one) => one === value) ?? tab)} keepMounted={false}>
          <Tabs.List>
            {open.map(([name, label, count]) => (
              <Tabs.Tab
                key={name}
                data-tour={name}
                value={name}
                rightSection={count !== undefined && <span className={classes['count']}>{formatNumber(count)}</span>}
              >
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab} pt={16}>
            <Content account={account} />
          </Tabs.Panel>
        </Tabs>
      )}
    </div>
  )
}
