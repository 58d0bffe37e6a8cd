import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'

/** The tabs of an account. */
export const Tab = z.enum(['start', 'overview', 'properties', 'files', 'invites'])
export type Tab = z.output<typeof Tab>

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
 * The tab named in the address, else the one behind the open panel, else the one that was shown before at this place of the history, else
 * the last one used on this account. The storage is read only when the account is opened: other windows write to it, and a refresh must not
 * change the tab on screen.
 */
export function useTab(accountId: string, open: readonly Tab[]): [Tab, (tab: Tab) => void] {
  const named = Tab.safeParse(useSearchParams()['tab']).data
  const { pathname, state } = useLocation()
  const place = state.__TSR_key ?? ''
  const [shownAt] = useState(() => new Map<string, Tab>())
  const navigate = useNavigate()
  const [used, setUsed] = useState(() => lastUsed(accountId))
  const wanted = named ?? tabUnderPanel(accountId, pathname) ?? shownAt.get(place) ?? used
  const tab = open.find((one) => one === wanted) ?? open[0] ?? 'overview'
  if (tab !== used) setUsed(tab)
  useEffect(() => {
    remember(accountId, tab)
    // The place changes before the parameters of the address do, which are then those of the place before.
    if (!shownAt.has(place)) shownAt.set(place, tab)
  }, [accountId, tab, place, shownAt])
  return [tab, (next) => void navigate({ to: paths.account(accountId), search: { tab: next }, resetScroll: false })]
}
