import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fileCalls, type FileRow } from '#contract/account-files.ts'
import { propertyCalls, type PropertyRow } from '#contract/account-properties.ts'
import { accountCalls, type AccountRow } from '#contract/accounts.ts'
import { activityCalls } from '#contract/activity.ts'
import { companyCalls, type CompanyRow } from '#contract/companies.ts'
import type { PageMeta } from '#contract/datatable.ts'
import { METRIC_CACHE_MS, PAGE_SIZE_MAX } from '#contract/limits.ts'
import { mapCalls } from '#contract/map.ts'
import { metricCalls } from '#contract/metrics.ts'
import { userCalls, type UserRow } from '#contract/users.ts'
import { api } from './client.ts'

/** The models that stand in lists, with their calls. */
export const LISTS = {
  accounts: accountCalls,
  account_properties: propertyCalls,
  account_files: fileCalls,
  companies: companyCalls,
  users: userCalls,
} as const
export type ListedModel = keyof typeof LISTS

export interface Rows {
  accounts: AccountRow
  account_properties: PropertyRow
  account_files: FileRow
  companies: CompanyRow
  users: UserRow
}
export type ListAnswer<M extends ListedModel> = { data: Rows[M][]; meta: PageMeta; message: string }
export type ListQuery = Readonly<Record<string, string>>

const FORMS = { accounts: accountCalls, account_properties: propertyCalls, companies: companyCalls, users: userCalls } as const
export type FormModel = keyof typeof FORMS

const COLUMNS_STALE_MS = METRIC_CACHE_MS

/**
 * Every query of the application: its key and how it is loaded. Keys begin with the kind of query and the model, so that
 * `staleness.ts` can name what an event makes stale.
 */
export const queries = {
  /** One page of a list; the page before stays on screen while the next one loads. */
  index: <M extends ListedModel>(model: M, query: ListQuery) =>
    queryOptions({
      queryKey: ['index', model, query],
      queryFn: async ({ signal }) => (await api(LISTS[model].index, { query, signal })) as ListAnswer<M>, // a call picked by its model: the compiler does not follow M into the table
      placeholderData: keepPreviousData,
    }),
  columns: (model: ListedModel) =>
    queryOptions({
      queryKey: ['columns', model],
      queryFn: async ({ signal }) => (await api(LISTS[model].columns, { signal })).data,
      staleTime: COLUMNS_STALE_MS,
    }),
  filters: (model: ListedModel) =>
    queryOptions({
      queryKey: ['filters', model],
      queryFn: async ({ signal }) => (await api(LISTS[model].filters, { signal })).data,
      staleTime: COLUMNS_STALE_MS,
    }),
  actions: (model: ListedModel) =>
    queryOptions({
      queryKey: ['actions', model],
      queryFn: async ({ signal }) => (await api(LISTS[model].actions, { signal })).data,
      staleTime: COLUMNS_STALE_MS,
    }),
  /** The form of a new record (`id` null) or of an existing one; always read anew, since it carries the version. */
  form: (model: FormModel, id: string | null, presets: ListQuery = {}) =>
    queryOptions({
      queryKey: ['form', model, id, presets],
      queryFn: async ({ signal }) =>
        id === null
          ? (await api(FORMS[model].form, { query: presets, signal })).data
          : (await api(FORMS[model].editForm, { params: { id }, query: presets, signal })).data,
      staleTime: 0,
      gcTime: 0,
      refetchOnWindowFocus: false,
    }),
  account: (id: string) =>
    queryOptions({
      queryKey: ['record', 'accounts', id],
      queryFn: async ({ signal }) => (await api(accountCalls.show, { params: { id }, signal })).data,
    }),
  property: (id: string) =>
    queryOptions({
      queryKey: ['record', 'account_properties', id],
      queryFn: async ({ signal }) => (await api(propertyCalls.show, { params: { id }, signal })).data,
    }),
  company: (id: string) =>
    queryOptions({
      queryKey: ['record', 'companies', id],
      queryFn: async ({ signal }) => (await api(companyCalls.show, { params: { id }, signal })).data,
    }),
  user: (id: string) =>
    queryOptions({
      queryKey: ['record', 'users', id],
      queryFn: async ({ signal }) => (await api(userCalls.show, { params: { id }, signal })).data,
    }),
  file: (accountId: string, fileId: string) =>
    queryOptions({
      queryKey: ['record', 'account_files', fileId],
      queryFn: async ({ signal }) => (await api(fileCalls.show, { params: { id: accountId, file_id: fileId }, signal })).data,
    }),
  fileDetails: (accountId: string, fileId: string, query: ListQuery) =>
    queryOptions({
      queryKey: ['record', 'account_files', fileId, 'details', query],
      queryFn: async ({ signal }) => (await api(fileCalls.details, { params: { id: accountId, file_id: fileId }, query, signal })).data,
    }),
  filePreview: (accountId: string, fileId: string) =>
    queryOptions({
      queryKey: ['file-preview', accountId, fileId],
      queryFn: async ({ signal }) => (await api(fileCalls.preview, { params: { id: accountId, file_id: fileId }, signal })).data,
    }),
  statusCounts: () =>
    queryOptions({ queryKey: ['status-counts'], queryFn: async ({ signal }) => (await api(accountCalls.statusCounts, { signal })).data }),
  favoriteAccounts: () => queries.index('accounts', { filter__favorites: '1', paginate: String(PAGE_SIZE_MAX) }),
  /** Every account that somebody without a list of accounts was given. */
  givenAccounts: () => queries.index('accounts', { sort: 'name', order: 'asc', paginate: String(PAGE_SIZE_MAX) }),
  pendingArchives: () =>
    queryOptions({ queryKey: ['archives'], queryFn: async ({ signal }) => (await api(fileCalls.pendingArchives, { signal })).data }),
  /** `force` rebuilds what the server keeps for five minutes. */
  metric: (name: 'accountsSummary' | 'systemTotals') =>
    queryOptions({ queryKey: ['metric', 'all', name], queryFn: async ({ signal }) => (await api(metricCalls[name], { signal })).data }),
  accountMetric: (name: 'propertyTypes' | 'propertyTypesPie' | 'propertyLocations' | 'reconciliation', accountId: string) =>
    queryOptions({
      queryKey: ['metric', accountId, name],
      queryFn: async ({ signal }) => (await api(metricCalls[name], { params: { id: accountId }, signal })).data,
    }),
  propertyMap: (accountId: string) =>
    queryOptions({
      queryKey: ['map', accountId],
      queryFn: async ({ signal }) => (await api(mapCalls.ofAccount, { params: { id: accountId }, signal })).data,
    }),
  /** Pages of what happened on an account, newest first; there is more until the last shown item is the total. */
  activity: (accountId: string) =>
    infiniteQueryOptions({
      queryKey: ['activity', accountId],
      queryFn: ({ signal, pageParam }) => api(activityCalls.ofAccount, { params: { id: accountId }, query: { page: pageParam }, signal }),
      initialPageParam: 1,
      getNextPageParam: ({ meta }) => (meta.to === null || meta.to >= meta.total ? undefined : meta.current_page + 1),
    }),
} as const
