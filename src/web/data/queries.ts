import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { inviteCalls } from '#contract/account-invites.ts'
import { factorCalls } from '#contract/factors.ts'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import type { PageMeta } from '#contract/datatable.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { importCalls } from '#contract/import-calls.ts'
import { EXPORT_POLL_MS, METRIC_CACHE_MS, NOTIFICATIONS_SHOWN, PAGE_SIZE_MAX, SEARCH_GROUP_SIZE } from '#contract/limits.ts'
import { declarationOf } from '#contract/models.ts'
import { flagCalls, type FlaggableType, type FlagRow } from '#contract/flags.ts'
import { managedCalls } from '#contract/managed.ts'
import { notificationCalls, type Notification } from '#contract/notifications.ts'
import { metricCalls } from '#contract/metrics.ts'
import { savedViewCalls } from '#contract/saved-views.ts'
import { submissionCalls, type DUE_DAYS } from '#contract/submissions.ts'
import { profileCalls } from '#contract/profile.ts'
import { ssoCalls } from '#contract/sso.ts'
import { statusCalls } from '#contract/statuses.ts'
import { accountQueries } from './account-queries.ts'
import { callQuery } from './call-query.ts'
import { api } from './client.ts'
import { isApiError } from './errors.ts'
import {
  modelCalls,
  type ActivityModel,
  type Deletion,
  type FormModel,
  type ListedModel,
  type LoadContents,
  type Records,
  type Rows,
} from './models.ts'

export type { FormModel, ListedModel, Rows } from './models.ts'
/** Models found by search; `company_names` are those that can be named as broker or carrier. */
export type SearchedModel = FoundModel | 'company_names'
/** Models that global search finds. */
export type FoundModel = FormModel | 'account_files'

/** How many results a form offers for a search. */
export const choicesOf = (model: SearchedModel): number =>
  (model === 'company_names' ? undefined : declarationOf(model).choices) ?? SEARCH_GROUP_SIZE

export type ListAnswer<M extends ListedModel> = { data: Rows[M][]; meta: PageMeta; message: string }
export type Notifications = { data: Notification[]; count: number }
export type ListQuery = Readonly<Record<string, string>>

const CHECK_POLL_MS = 1_000
const RECEIPT_POLL_MS = 5_000

const recordQuery = <M extends FormModel>(model: M, id: string) =>
  queryOptions({
    queryKey: ['record', model, id],
    queryFn: async ({ signal }) => (await api(modelCalls[model].show, { params: { id }, signal })).data as Records[M], // the compiler does not follow M into the call
  })

const nextPage = ({ meta }: { meta: PageMeta }) => (meta.to === null || meta.to >= meta.total ? undefined : meta.current_page + 1)

/** The filter of the list of flags for those of one record. */
const FLAG_FILTERS = {
  account_property: 'filter__property_id',
  account_file: 'filter__file_id',
  risk_control: 'filter__risk_control_id',
} as const satisfies Record<FlaggableType, string>

/**
 * Every query of the application: its key and how it is loaded. Keys begin with the kind of query and the model, so that
 * `staleness.ts` can name what an event makes stale.
 */
export const queries = {
  account: accountQueries.account,
  inviting: accountQueries.inviting,
  downloadable: accountQueries.downloadable,
  accountMetric: accountQueries.accountMetric,
  propertyMap: accountQueries.propertyMap,
  /** One page of a list; the page before stays on screen while the next one loads. */
  index: <M extends ListedModel>(model: M, query: ListQuery) =>
    queryOptions({
      queryKey: ['index', model, query],
      queryFn: async ({ signal }) => (await api(modelCalls[model].index, { query, signal })) as ListAnswer<M>, // a call picked by its model: the compiler does not follow M into the table
      placeholderData: keepPreviousData,
    }),
  columns: (model: ListedModel) =>
    queryOptions({ ...callQuery(['columns', model], modelCalls[model].columns), staleTime: METRIC_CACHE_MS }),
  filters: (model: ListedModel) =>
    queryOptions({ ...callQuery(['filters', model], modelCalls[model].filters), staleTime: METRIC_CACHE_MS }),
  actions: (model: ListedModel) =>
    queryOptions({ ...callQuery(['actions', model], modelCalls[model].actions), staleTime: METRIC_CACHE_MS }),
  /** The user's own views of the list and those shared in the company. */
  savedViews: (model: ListedModel) =>
    queryOptions({ ...callQuery(['saved-views', model], savedViewCalls.index, { query: { model } }), staleTime: 0 }),
  /** Records found by their name, none when the server answers 404. */
  search: (model: SearchedModel, search: string, paginate?: number, accountId?: string) =>
    queryOptions({
      queryKey: ['search', model, search, paginate, accountId],
      queryFn: async ({ signal }) => {
        try {
          const call = model === 'company_names' ? companyCalls.names : modelCalls[model].search
          return (await api(call, { query: { search, paginate, filter__account_id: accountId }, signal })).data
        } catch (error) {
          if (isApiError(error) && error.kind === 'not_found') return []
          throw error
        }
      },
    }),
  /** What global search shows of a model, with the searched words to highlight; nothing when the server answers 404. */
  globalSearch: (model: FoundModel, search: string, paginate?: number) =>
    queryOptions({
      queryKey: ['search', model, search, paginate, 'global'],
      queryFn: async ({ signal }) => {
        try {
          const { data, matched = [] } = await api(modelCalls[model].search, { query: { search, paginate }, signal })
          return { found: data, matched }
        } catch (error) {
          if (isApiError(error) && error.kind === 'not_found') return { found: [], matched: [] }
          throw error
        }
      },
    }),
  /** Documents whose text has the searched words. */
  textHits: (search: string, paginate?: number) =>
    callQuery(['search', 'account_files', 'texts', search, paginate], fileCalls.searchTexts, { query: { search, paginate } }),
  /** How many documents are not found by their text: all that the user sees, or those of one kind in an account. */
  unreadTexts: (query: { filter__account_id?: string; filter__sov?: '0' | '1' } = {}) =>
    callQuery(['search', 'account_files', 'unread', query], fileCalls.unreadTexts, { query }),
  /** What is deleted with rows at this moment. */
  contents: (model: ListedModel, deletion: Deletion, load: LoadContents) =>
    queryOptions({ queryKey: ['contents', model, deletion], queryFn: ({ signal }) => load(deletion, signal), staleTime: 0, gcTime: 0 }),
  /** The form of a new record (`id` null) or of an existing one; never cached, since it carries the version. */
  form: (model: FormModel, id: string | null, presets: ListQuery = {}) =>
    queryOptions({
      queryKey: ['form', model, id, presets],
      queryFn: async ({ signal }) =>
        id === null
          ? (await api(modelCalls[model].form, { query: presets, signal })).data
          : (await api(modelCalls[model].editForm, { params: { id }, query: presets, signal })).data,
      staleTime: 0,
      gcTime: 0,
      refetchOnWindowFocus: false,
    }),
  record: recordQuery,
  /** The single sign-on of a company, which changes with it. */
  sso: (id: string) => callQuery(['record', 'companies', id, 'sso'], ssoCalls.settings, { params: { id } }),
  /** Loaded again after each upload. Until a stored document has been read, its duplicates are unknown. */
  receipt: (id: string, uploads: number) =>
    queryOptions({
      queryKey: ['receipt', id, uploads],
      queryFn: async ({ signal }) => (await api(managedCalls.receipt, { params: { id }, signal })).data,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => state.data?.documents.some(({ sha256 }) => sha256 === null) === true && RECEIPT_POLL_MS,
    }),
  property: (id: string) => recordQuery('account_properties', id),
  file: (id: string, fileId: string) => callQuery(['record', 'account_files', fileId], fileCalls.show, { params: { id, file_id: fileId } }),
  fileDetails: (id: string, fileId: string, query: ListQuery) =>
    callQuery(['record', 'account_files', fileId, 'details', query], fileCalls.details, { params: { id, file_id: fileId }, query }),
  statusCounts: () => callQuery(['status-counts'], accountCalls.statusCounts),
  profile: () => callQuery(['profile'], profileCalls.show),
  /** Those that were not dismissed. */
  notifications: (paginate = NOTIFICATIONS_SHOWN) =>
    queryOptions({
      queryKey: ['notifications', paginate],
      queryFn: async ({ signal }): Promise<Notifications> => {
        const { data, count } = await api(notificationCalls.index, { query: { paginate: String(paginate) }, signal })
        return { data, count }
      },
      placeholderData: keepPreviousData,
    }),
  /** Those of one record, newest first. */
  flags: (type: FlaggableType, id: string) => {
    const query = { [FLAG_FILTERS[type]]: id, paginate: '100' }
    return queryOptions({
      queryKey: ['index', 'flags', query],
      queryFn: async ({ signal }): Promise<{ data: FlagRow[]; meta: PageMeta }> => api(flagCalls.index, { query, signal }),
    })
  },
  /** Open automatic flags by check. */
  flagGroups: () => callQuery(['flag-groups'], flagCalls.groups),
  flag: (id: string) => callQuery(['record', 'flags', id], flagCalls.show, { params: { id } }),
  flagAssignees: (accountId: string, flaggable_type: FlaggableType, flaggable_id: string) =>
    callQuery(['flag-assignees', accountId, flaggable_id], flagCalls.assignees, {
      params: { id: accountId },
      query: { flaggable_type, flaggable_id },
    }),
  /** The accounts to which the user was invited. */
  invited: () => callQuery(['invited'], inviteCalls.mine),
  notificationPreferences: () => callQuery(['notification-preferences'], notificationCalls.preferences),
  /** The authenticator app and the passkeys of the user. */
  factors: () => callQuery(['factors'], factorCalls.show),
  /** Where the user is signed in. */
  devices: () => callQuery(['devices'], profileCalls.sessions),
  /** Those of the user's company. */
  statuses: () => callQuery(['statuses'], statusCalls.index),
  favoriteAccounts: () => queries.index('accounts', { filter__favorites: '1', paginate: String(PAGE_SIZE_MAX) }),
  /** All accounts of a user who has no list of accounts. */
  assignedAccounts: () => queries.index('accounts', { sort: 'name', order: 'asc', paginate: String(PAGE_SIZE_MAX) }),
  /** Those of the user. Loaded again every second while one is being prepared. */
  downloads: () =>
    queryOptions({
      ...callQuery(['downloads'], fileCalls.downloads),
      refetchInterval: ({ state: { data } }) =>
        data?.some(({ status }) => status === 'pending' || status === 'processing') === true ? EXPORT_POLL_MS : false,
    }),
  metric: (name: 'accountsSummary' | 'accountsAttention' | 'accountsFixes' | 'systemTotals') =>
    callQuery(['metric', 'all', name], metricCalls[name]),
  dueSubmissions: (days: keyof typeof DUE_DAYS) => callQuery(['metric', 'all', 'due', days], submissionCalls.due, { query: { days } }),
  /** Loaded again every second until the check is done. */
  checkState: (id: string) =>
    queryOptions({
      ...callQuery(['checks', id], discrepancyCalls.state, { params: { id } }),
      refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' || data?.state === 'running' ? CHECK_POLL_MS : false),
    }),
  /** Newest first. */
  importHistory: (accountId: string) =>
    callQuery(['import', 'history', accountId], importCalls.history, { params: { account_id: accountId } }),
  /** Pages of what happened to a record, newest first; there is more until the last shown item is the total. */
  activity: (model: ActivityModel, id: string) =>
    infiniteQueryOptions({
      queryKey: ['activity', model, id],
      queryFn: ({ signal, pageParam }) => api(modelCalls[model].activity, { params: { id }, query: { page: pageParam }, signal }),
      initialPageParam: 1,
      getNextPageParam: nextPage,
    }),
  propertyHistory: (id: string) =>
    infiniteQueryOptions({
      queryKey: ['history', id],
      queryFn: ({ signal, pageParam }) => api(propertyCalls.history, { params: { id }, query: { page: pageParam }, signal }),
      initialPageParam: 1,
      getNextPageParam: nextPage,
    }),
} as const
