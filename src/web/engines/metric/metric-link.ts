import type { z } from 'zod'
import { checkById, isCheckId } from '#contract/checks.ts'
import type { MetricAction } from '#contract/metrics.ts'
import { paths, withQuery } from '#web/paths.ts'

type Action = z.output<typeof MetricAction>

/** The address of the table that a metric's action refers to, with its filters; undefined for models without a table. */
export function metricLink(action: Action | null | undefined): string | undefined {
  if (action === null || action === undefined) return undefined
  const { filter__account_id: accountId, ...filters } = action.filters
  const list = { search: action.search, sort: action.sort, order: action.order }
  switch (action.model) {
    case 'accounts':
      return withQuery(paths.accounts(), { ...filters, ...list })
    case 'users':
      return withQuery(paths.users(), { ...filters, ...list })
    case 'account_properties':
      return accountId === undefined ? undefined : withQuery(paths.account(accountId), { tab: 'properties', ...filters, ...list })
    case 'account_files':
      return accountId === undefined ? undefined : withQuery(paths.account(accountId), { tab: 'files', ...filters, ...list })
    case 'discrepancies':
      return accountId === undefined ? undefined : propertiesWith(accountId, filters['filter__check'])
    default:
      return undefined
  }
}

/** Discrepancies have no table of their own: they are shown with their properties. */
function propertiesWith(accountId: string, check: string | undefined): string {
  const found =
    check !== undefined && isCheckId(check) ? { filter__discrepancy: checkById(check).filter } : { filter__has_discrepancy: '1' }
  return withQuery(paths.account(accountId), { tab: 'properties', filter__status: 'active', ...found })
}
