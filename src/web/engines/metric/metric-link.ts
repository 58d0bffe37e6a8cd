import type { Statistic } from '#contract/metrics.ts'
import { listPageOf } from '#web/data/list-pages.ts'
import { paths, withQuery } from '#web/paths.ts'

/** The address of the list that a metric's action refers to, with its filters; undefined for models without one. */
export function metricLink(action: Statistic['action'] | undefined): string | undefined {
  if (action === null || action === undefined) return undefined
  const { model, filters: allFilters, ...order } = action
  const { filter__account_id: accountId, ...filters } = allFilters
  const page = listPageOf(model)
  if (page === undefined) return undefined
  if ('path' in page) return withQuery(page.path(), { ...filters, ...order })
  if (accountId === undefined) return undefined
  return withQuery(paths.account(accountId), { tab: page.tab, ...(page.filters?.(filters) ?? filters), ...order })
}
