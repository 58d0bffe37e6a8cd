import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { z } from 'zod'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'

export const ACCOUNT_TABS = ['overview', 'properties', 'files'] as const
export type ShownTab = (typeof ACCOUNT_TABS)[number]

const KEY = 'plumbline.account-tabs'
const REMEMBERED_ACCOUNTS = 200
const Remembered = z.array(z.tuple([z.string(), z.enum(ACCOUNT_TABS)]))

function remembered(): z.output<typeof Remembered> {
  try {
    return Remembered.parse(JSON.parse(window.localStorage.getItem(KEY) ?? '[]'))
  } catch {
    return []
  }
}

function remember(accountId: string, tab: ShownTab): void {
  const others = remembered().filter(([id]) => id !== accountId)
  window.localStorage.setItem(KEY, JSON.stringify([[accountId, tab], ...others].slice(0, REMEMBERED_ACCOUNTS)))
}

const asTab = (value: unknown): ShownTab | undefined => ACCOUNT_TABS.find((tab) => tab === value)

/** The page that a panel's own address belongs over, when the address says no tab. */
function tabUnderPanel(accountId: string, pathname: string): ShownTab | undefined {
  const rest = pathname.slice(paths.account(accountId).length)
  if (rest.startsWith('/properties') || rest === '/create') return 'properties'
  return rest.startsWith('/files') || rest === '/upload' ? 'files' : undefined
}

/** The chosen tab: from the address, else from the panel that is open, else the one last looked at on this account (S1 2.5). */
export function useAccountTab(accountId: string, open: readonly ShownTab[]): { tab: ShownTab; choose: (tab: ShownTab) => void } {
  const search = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const asked = asTab(search['tab']) ?? tabUnderPanel(accountId, pathname) ?? remembered().find(([id]) => id === accountId)?.[1]
  const tab = open.find((one) => one === asked) ?? open[0] ?? 'overview'
  useEffect(() => remember(accountId, tab), [accountId, tab])
  const choose = (next: ShownTab) => void navigate({ to: paths.account(accountId), search: { tab: next }, resetScroll: false })
  return { tab, choose }
}
