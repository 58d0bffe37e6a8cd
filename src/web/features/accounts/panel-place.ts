import { useLocation } from '@tanstack/react-router'
import { paths } from '#web/paths.ts'

/** The page under an account's panel: the same panels stand over the dashboard, the list and the account itself. */
export function useUnderlyingPath(accountId: string): string {
  const { pathname } = useLocation()
  if (pathname.startsWith('/quickview/')) return paths.dashboard()
  return pathname.endsWith('/edit-overview') ? paths.account(accountId) : paths.accounts()
}
