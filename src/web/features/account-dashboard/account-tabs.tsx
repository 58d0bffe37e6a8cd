import { Button, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ComponentType } from 'react'
import type { Account } from '#contract/accounts.ts'
import { onlyUploads } from '#contract/default-roles.ts'
import { formatNumber, sentenceCase } from '#contract/format.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useIsGuest, useSession } from '#web/data/session.ts'
import { Tab, useTab } from '#web/engines/account/account-tab.ts'
import { useIsCollecting } from '#web/engines/account/collecting.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import classes from './account-dashboard.module.css'
import { AccountHeader } from './account-header.tsx'
import { Overview } from './overview.tsx'

const LABELS = {
  start: 'Get Started',
  overview: 'Overview',
  properties: 'Properties',
  files: 'Documents',
  invites: 'Account Access',
} as const satisfies Record<Tab, string>

type TabComponent = ComponentType<{ account: Account }>
/** `upload` replaces the documents for people who send them. */
export type TabComponents = Record<Exclude<Tab, 'overview'> | 'upload', TabComponent>

interface AccountTabsProps {
  account: Account
  tabs: TabComponents
  Share: TabComponent
  downloadsOpen: boolean
}

/** The facts of the account above overview, properties and documents; on the other tabs than the overview, in one line. The chosen tab is part of the address and remembered per account. */
export function AccountTabs({ account, tabs, Share, downloadsOpen }: AccountTabsProps) {
  const simplified = useIsCollecting(account)
  const can = useCan()
  const state = account.status?.state
  const { roles } = useSession().auth_user
  const { upload, update } = account.accessible_features
  const mayUpload = can('upload_account_files') && upload
  const allowed = {
    start: simplified && state === 'uploading' && !onlyUploads(roles) && (mayUpload || (can('update_accounts') && update)),
    overview: !simplified,
    properties: !simplified && can('view_account_properties'),
    files: can('view_account_files'),
    invites: useMaySeeInvites() && !simplified,
  }
  const open = Tab.options.filter((name) => allowed[name])
  const [tab, choose] = useTab(account.id, open)
  useHotkeys(open.map((name, index) => [String(index + 1), () => choose(name)]))
  const invites = useInviteCount(account.id, allowed.invites)
  const counts = {
    start: undefined,
    overview: undefined,
    properties: account.properties ?? undefined,
    files: account.files?.total,
    invites,
  }
  const list = useTabInView(tab, Object.values(counts).join())
  const Content = tab === 'overview' ? undefined : tabs[simplified && tab === 'files' ? 'upload' : tab]
  const compact = tab !== 'overview' && allowed.overview
  return (
    <div className={classes['layout']} data-compact={compact || undefined}>
      <AccountHeader account={account} compact={compact} share={<Share account={account} />} downloadsOpen={downloadsOpen} />
      {simplified && state === 'processing' && <ProcessingNotice />}
      <Tabs
        value={tab}
        onChange={(value) => choose(open.find((one) => one === value) ?? tab)}
        keepMounted={false}
        className={classes['tabs'] ?? ''}
      >
        <Tabs.List ref={list} className={classes['list'] ?? ''}>
          {open.map((name) => (
            <Tabs.Tab
              key={name}
              data-tour={name}
              value={name}
              rightSection={counts[name] !== undefined && <span className={classes['count']}>{formatNumber(counts[name])}</span>}
            >
              {simplified && mayUpload && name === 'files' ? 'Upload Documents' : LABELS[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes['panel'] ?? ''}>
          {Content === undefined ? <Overview account={account} /> : <Content account={account} />}
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

/** On a phone, the tabs can be wider than the screen: the chosen one is scrolled into view. */
function useTabInView(tab: Tab, counts: string) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected="true"]')
    chosen?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' })
  }, [tab, counts])
  return list
}

function useMaySeeInvites(): boolean {
  const mayView = useCan()('view_account_invites')
  return !useIsGuest() && mayView
}

/** The invitations that the list of the tab shows. */
function useInviteCount(accountId: string, isShown: boolean): number | undefined {
  const query = { filter__account_id: accountId, page: '1', paginate: '1' }
  return useQuery({ ...queries.index('account_invites', query), enabled: isShown }).data?.meta.total
}

/** The provider is working on the documents, so there is nothing to do here for now. */
function ProcessingNotice() {
  const isGuest = useIsGuest()
  return (
    <Notice kind="info" title={`${sentenceCase(useSession().config.provider)} is organizing your account`}>
      {!isGuest && (
        <Button component={Link} to={paths.dashboard()} variant="default" mt={8}>
          Return to Dashboard
        </Button>
      )}
    </Notice>
  )
}
