import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { guestCalls } from '#contract/guests.ts'
import { mapCalls } from '#contract/map.ts'
import { metricCalls } from '#contract/metrics.ts'
import { registerSummaryCalls } from '#contract/register-summary.ts'
import { callQuery } from './call-query.ts'
import { api } from './client.ts'

type ListQuery = Readonly<Record<string, string>>

/**
 * The queries of one account, apart from those of `queries.ts`, which need the contract of every model: people from outside load these only.
 * The keys are the same as those of lists and records.
 */
export const accountQueries = {
  account: (id: string) => callQuery(['record', 'accounts', id], accountCalls.show, { params: { id } }),
  /** Who sent the account of this session; null for users. */
  inviting: () => callQuery(['inviting'], guestCalls.inviting),
  /** Read when the menu of downloads opens, because any change in the account may matter. */
  downloadable: (id: string) => callQuery(['downloadable', id], fileCalls.downloadable, { params: { id } }),
  accountMetric: (name: 'propertyTypes' | 'propertyTypesPie' | 'propertyLocations' | 'reconciliation', id: string) =>
    callQuery(['metric', id, name], metricCalls[name], { params: { id } }),
  registerSummary: (id: string) => callQuery(['register-summary', id], registerSummaryCalls.ofAccount, { params: { id } }),
  propertyMap: (id: string) => callQuery(['map', id], mapCalls.ofAccount, { params: { id } }),
  /** A page of properties with the totals of their list. */
  properties: (query: ListQuery) =>
    queryOptions({
      queryKey: ['index', 'account_properties', query],
      queryFn: async ({ signal }) => {
        const { data, meta, message } = await api(propertyCalls.index, { query, signal })
        return { data, meta, message }
      },
      placeholderData: keepPreviousData,
    }),
  documents: (query: ListQuery) =>
    queryOptions({
      queryKey: ['index', 'account_files', query],
      queryFn: async ({ signal }) => {
        const { data, meta, message } = await api(fileCalls.index, { query, signal })
        return { data, meta, message }
      },
      placeholderData: keepPreviousData,
    }),
} as const
