import type { Query, QueryFilters } from '@tanstack/react-query'
import { z } from 'zod'
import type { ChannelEvents } from '#contract/events.ts'
import { createStore } from '../ui/store.ts'
import { queryClient } from './query-client.ts'
import { refresh } from './refresh.ts'
import { knownSession } from './session.ts'

/** A rule for every event of every channel: a new event does not compile without one. */
type Rules = { [K in keyof ChannelEvents]: { [E in keyof ChannelEvents[K]]: (payload: ChannelEvents[K][E]) => void } }

/** Marks queries as stale and refetches those on screen: in the pace of events, or together after a write. */
type Invalidate = (filters: QueryFilters) => void

const AccountFilter = z.object({ filter__account_id: z.string() })
const InAccount = z.object({ account_id: z.string() })
const Downloads = z.array(InAccount)
const TextQuery = z.union([z.object({ search: z.string() }), z.object({ filter__text: z.string() })])

/** Keys and data of queries do not change, so each is parsed once and not for every event. */
function parsedOnce<Source extends object, Result>(parse: (source: Source) => Result): (source: Source) => Result {
  const results = new WeakMap<Source, { result: Result }>()
  return (source) => {
    const known = results.get(source)
    if (known !== undefined) return known.result
    const result = parse(source)
    results.set(source, { result })
    return result
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const filteredAccount = parsedOnce((key: readonly unknown[]) =>
  key.map((part) => AccountFilter.safeParse(part).data?.filter__account_id).find((id) => id !== undefined),
)
const accountOfData = parsedOnce((data: object) => InAccount.safeParse(data).data?.account_id)
const accountsOfDownloads = parsedOnce((data: object) => Downloads.safeParse(data).data?.map(({ account_id: id }) => id))
const isByText = parsedOnce((key: readonly unknown[]) => key.some((part) => TextQuery.safeParse(part).success))

/** Whether all that a query shows is in another account. Unknown accounts count as this one. */
function isElsewhere({ queryKey, state }: Query, accountId: string): boolean {
  const filter = filteredAccount(queryKey)
  if (filter !== undefined) return filter !== accountId
  const [kind, model, id] = queryKey
  const record = kind === 'history' ? ['account_properties', model] : [model, id]
  const shown = kind === 'record' ? state.data : queryClient.getQueryData(['record', ...record])
  const account = isObject(shown) ? accountOfData(shown) : undefined
  if (account !== undefined) return account !== accountId
  const downloads = kind === 'downloads' && isObject(state.data) ? accountsOfDownloads(state.data) : undefined
  return downloads?.every((id) => id !== accountId) ?? false
}

interface ChangedRow {
  model: string
  id: string | null
  /** Null if the change may be in any account. */
  accountId: string | null
}

function staleRow({ model, id, accountId }: ChangedRow, invalidate: Invalidate): void {
  const stale = (...queryKey: unknown[]) =>
    invalidate({ queryKey, ...(accountId === null ? {} : { predicate: (query: Query) => !isElsewhere(query, accountId) }) })
  // The session shows the subscription of the user's company.
  if (isOwn(model, id) || model === 'subscriptions') stale('init')
  stale('index', model)
  stale('search', model)
  const record = id === null ? [] : [id]
  // Without an id, any record of the model may show the change.
  stale('record', model, ...record)
  stale('activity', model, ...record)
  if (model === 'account_properties') stale('history', ...record)
  // Archives are out of date when their documents change.
  if (model === 'account_files') stale('downloads')
  // Changed rules of the checks make the findings of every account out of date.
  if (model === 'discrepancies' && accountId === null) {
    stale('checks')
    stale('metric')
  } else if (model === 'discrepancies') {
    stale('checks', accountId)
    stale('metric', accountId)
    stale('metric', 'all')
  }
  if (model === 'flags') {
    // Their rows show how many flags are open.
    stale('index', 'account_properties')
    stale('activity', 'risk_control')
    stale('flag-groups')
  }
  if (model === 'account_invites') for (const kind of ['links', 'grants', 'visits']) stale(kind)
  if (model === 'accounts') {
    stale('metric', 'all')
    stale('status-counts')
    stale('statuses')
  }
}

/** After the text of a document was read: searches, lists that are filtered by texts, and documents on screen. */
function staleTexts(accountId: string | null): void {
  const isHere = (query: Query) => accountId === null || !isElsewhere(query, accountId)
  refresh({ queryKey: ['index', 'account_files'], predicate: (query) => isByText(query.queryKey) && isHere(query) })
  for (const kind of ['search', 'record']) refresh({ queryKey: [kind, 'account_files'], predicate: isHere })
}

/** Whether the session shows this record: the user and their company. */
function isOwn(model: string, id: string | null): boolean {
  const user = knownSession()?.auth_user
  return id !== null && (model === 'users' ? id === user?.id : model === 'companies' && id === user?.company.id)
}

function staleAccount(id: string, scope: 'data' | 'files', invalidate: Invalidate): void {
  const stale = (...queryKey: unknown[]) => invalidate({ queryKey })
  stale('record', 'accounts', id)
  stale('activity', 'accounts', id)
  if (scope === 'files') return
  // The overview shows the totals of this list.
  invalidate({ queryKey: ['index', 'account_properties'], predicate: (query) => !isElsewhere(query, id) })
  stale('checks', id)
  stale('metric', id)
  stale('map', id)
  stale('register-summary', id)
}

/** A notification may be about a download. */
const NOTIFIED = [['notifications'], ['downloads']]
/** An import has its own state, which the account of this page does not have. */
const ACCOUNT_IMPORTS = [['import'], ['index', 'property_imports']]

export const staleAfter: Rules = {
  user: {
    notification: () => {
      for (const queryKey of NOTIFIED) refresh({ queryKey })
    },
    'record-opened': ({ model }) => refresh({ queryKey: ['index', model] }),
  },
  account: {
    'model-updated': ({ id, updatedAt, scope }) => {
      for (const queryKey of ACCOUNT_IMPORTS) refresh({ queryKey })
      if (!isKnown(id, updatedAt)) staleAccount(id, scope, refresh)
    },
  },
  datatable: {
    'model-updated': ({ model, id, account_id: accountId, scope }) => {
      if (scope === 'texts') staleTexts(accountId)
      else staleRow({ model, id, accountId }, refresh)
    },
  },
}

/** After this page was subscribed to a channel: what its events would have made stale until now. */
export function staleAfterJoin(channel: string): void {
  const [kind, name = ''] = channel.split('.')
  if (kind === 'private-account') {
    for (const queryKey of ACCOUNT_IMPORTS) refresh({ queryKey })
    staleAccount(name, 'data', refresh)
  } else if (kind === 'private-datatable') staleRow({ model: name, id: null, accountId: null }, refresh)
  else for (const queryKey of NOTIFIED) refresh({ queryKey })
}

/** The event of a change that this page made itself is no news. */
function isKnown(accountId: string, updatedAt: string): boolean {
  const account = queryClient.getQueryData<{ updated_at: string }>(['record', 'accounts', accountId])
  return account !== undefined && Date.parse(updatedAt) <= Date.parse(account.updated_at)
}

/** Counts the writes of this page, whose outcome lists show immediately. */
export const ownWrites = createStore(0)
export const countOwnWrite = (): void => ownWrites.set(ownWrites.get() + 1)

/** The same rules after a write of this page, without waiting for the event. What several rules name is loaded once. */
export function invalidateAfterWrite(model: string, id: string | null, accountId: string | null = null): void {
  const stale = new Set<Query>()
  const add: Invalidate = (filters) =>
    queryClient
      .getQueryCache()
      .findAll(filters)
      .forEach((query) => stale.add(query))
  staleRow({ model, id, accountId: null }, add)
  if (accountId !== null) staleAccount(accountId, 'data', add)
  void queryClient.invalidateQueries({ predicate: (query) => stale.has(query) })
  countOwnWrite()
}

/** After a check of an account was requested or finished: everything that shows scores or discrepancies. Resolves when it was loaded again. */
export async function staleChecks(accountId: string): Promise<void> {
  const stale = [
    ...['checks', 'metric', 'map'].map((kind) => [kind, accountId]),
    ...['account_properties', 'discrepancies'].map((model) => ['index', model]),
    ['record', 'account_properties'],
  ]
  await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
