import { checkById, isCheckId } from '#contract/checks.ts'
import type { Statistic } from '#contract/metrics.ts'
import { paths, withQuery } from '#web/paths.ts'

/** The address of the table that a metric's action refers to, with its filters; undefined for models without a table. */
export function metricLink(action: Statistic['action'] | undefined): string | undefined {
  if (action === null || action === undefined) return undefined
  const { model, filters: allFilters, ...order } = action
  const { filter__account_id: accountId, ...filters } = allFilters
  if (model === 'accounts') return withQuery(paths.accounts(), { ...filters, ...order })
  if (model === 'users') return withQuery(paths.users(), { ...filters, ...order })
  if (accountId === undefined) return undefined
  const inAccount = (query: Record<string, string | undefined>) => withQuery(paths.account(accountId), query)
  if (model === 'account_properties') return inAccount({ tab: 'properties', ...filters, ...order })
  if (model === 'account_files') return inAccount({ tab: 'files', ...filters, ...order })
  // Discrepancies have no table of their own: they are shown with their properties.
  if (model === 'discrepancies') return inAccount({ tab: 'properties', filter__status: 'active', ...findings(filters['filter__check']) })
  return undefined
}

const findings = (check: string | undefined) =>
  check !== undefined && isCheckId(check) ? { filter__discrepancy: checkById(check).filter } : { filter__has_discrepancy: '1' }
