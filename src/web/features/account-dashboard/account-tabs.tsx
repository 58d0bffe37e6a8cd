import { Button, Tabs } from '@mantine/core'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ComponentType } from 'react'
import { z } from 'zod'
import type { Account } from '#contract/accounts.ts'
import { onlyUploads } from '#contract/default-roles.ts'
import { formatNumber, sentenceCase } from '#contract/format.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useIsGuest, useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { Notice } from '#web/ui/notice.tsx'
import classes from './account-dashboard.module.css'
import { AccountHeader } from './account-header.tsx'
import { Overview } from './overview.tsx'

const Tab = z.enum(['start', 'overview', 'properties', 'files', 'invites'])
type Tab = z.output<typeof Tab>
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
  const simplified = useSimplified(account)
  const can = useCan()
  const state = account.status?.state
  const { roles } = useSession().auth_user
  const allowed = {
    start: simplified && state === 'uploading' && !onlyUploads(roles),
    overview: !simplified,
    properties: !simplified && can('view_account_properties'),
    files: can('view_account_files'),
    invites: useMaySeeInvites() && !simplified,
  }
  const open = Tab.options.filter((name) => allowed[name])
  const [tab, choose] = useTab(account.id, open)
  const invites = useAccessCount(account, allowed.invites)
  const counts = {
    start: undefined,
    overview: undefined,
    properties: account.properties ?? undefined,
    files: account.files?.total,
    invites,
  }
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
        <Tabs.List className={classes['list'] ?? ''}>
          {open.map((name) => (
            <Tabs.Tab
              key={name}
              data-tour={name}
              value={name}
              rightSection={counts[name] !== undefined && <span className={classes['count']}>{formatNumber(counts[name])}</span>}
            >
              {simplified && name === 'files' ? 'Upload Documents' : LABELS[name]}
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

function useMaySeeInvites(): boolean {
  const mayView = useCan()('view_account_invites')
  return !useIsGuest() && mayView
}

/** The users of a standard account, and the invitations to a managed one. */
function useAccessCount({ id, users }: Account, isShown: boolean): number | undefined {
  const query = { filter__account_id: id, page: '1', paginate: '1' }
  const { data } = useQuery({ ...queries.index('account_invites', query), enabled: isShown && users === undefined })
  return users ?? data?.meta.total
}

/** The provider is working on the documents, so there is nothing to do here for now. */
function ProcessingNotice() {
  return (
    <Notice kind="info" title={`${sentenceCase(useSession().config.provider)} is organizing your account`}>
      <Button component={Link} to={paths.dashboard()} variant="default" mt={8}>
        Return to Dashboard
      </Button>
    </Notice>
  )
}

/** Users who only upload documents, and owners of a managed account whose documents are being collected, only get the upload. */
function useSimplified({ type, status }: Account): boolean {
  const can = useCan()
  const { auth_user } = useSession()
  const collecting = type === 'managed' && (status?.state === 'uploading' || status?.state === 'processing')
  return onlyUploads(auth_user.roles) || (collecting && !can('manage_simple_accounts'))
}

const KEY = 'plumbline.account-tabs'
const REMEMBERED_ACCOUNTS = 200
const Remembered = z.array(z.tuple([z.string(), Tab])).catch([])

const remembered = () => Remembered.parse(JSON.parse(window.localStorage.getItem(KEY) ?? '[]'))

function remember(accountId: string, tab: Tab): void {
  const others = remembered().filter(([id]) => id !== accountId)
  window.localStorage.setItem(KEY, JSON.stringify([[accountId, tab], ...others].slice(0, REMEMBERED_ACCOUNTS)))
}

/** The tab behind a panel whose address names no tab. */
function tabUnderPanel(accountId: string, pathname: string): Tab | undefined {
  const rest = pathname.slice(paths.account(accountId).length)
  if (rest.startsWith('/properties') || rest === '/create') return 'properties'
  if (rest.startsWith('/invites')) return 'invites'
  return rest.startsWith('/files') || rest === '/upload' ? 'files' : undefined
}

const lastUsed = (accountId: string): Tab | undefined => remembered().find(([id]) => id === accountId)?.[1]

/**
 * The tab named in the address, else the one behind the open panel, else the last one used on this account. The storage is read only when
 * the account is opened: other windows write to it, and a refresh must not change the tab on screen.
 */
function useTab(accountId: string, open: readonly Tab[]): [Tab, (tab: Tab) => void] {
  const named = Tab.safeParse(useSearchParams()['tab']).data
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [used, setUsed] = useState(() => lastUsed(accountId))
  const wanted = named ?? tabUnderPanel(accountId, pathname) ?? used
  const tab = open.find((one) => one === wanted) ?? open[0] ?? 'overview'
  if (tab !== used) setUsed(tab)
  useEffect(() => remember(accountId, tab), [accountId, tab])
  return [tab, (next) => void navigate({ to: paths.account(accountId), search: { tab: next }, resetScroll: false })]
}
