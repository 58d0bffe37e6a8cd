import type { ChannelEvents } from '#contract/events.ts'
import { createStore } from '../ui/store.ts'
import { queryClient } from './query-client.ts'
import { knownSession } from './session.ts'

/** A rule for every event of every channel: a new event does not compile without one. */
type Rules = { [K in keyof ChannelEvents]: { [E in keyof ChannelEvents[K]]: (payload: ChannelEvents[K][E]) => void } }

const stale = (...key: unknown[]) => void queryClient.invalidateQueries({ queryKey: key })

function staleRow(model: string, id: string | null): void {
  // The session shows the subscription of the user's company.
  if (isOwn(model, id) || model === 'subscriptions') stale('init')
  stale('index', model)
  stale('search', model)
  const record = id === null ? [] : [id]
  // Without an id, any record of the model may show the change.
  stale('record', model, ...record)
  stale('activity', model, ...record)
  if (model === 'account_properties') stale('history', ...record)
  // Changed rules of the checks make the findings of every account out of date.
  if (model === 'discrepancies') {
    stale('checks')
    stale('metric')
  }
  if (model === 'flags') {
    // Their rows show how many flags are open.
    stale('index', 'account_properties')
    stale('activity', 'risk_control')
    stale('flag-groups')
  }
  if (model === 'accounts') {
    stale('metric', 'all')
    stale('status-counts')
    stale('statuses')
  }
}

/** Whether the session shows this record: the user and their company. */
function isOwn(model: string, id: string | null): boolean {
  const user = knownSession()?.auth_user
  return id !== null && (model === 'users' ? id === user?.id : model === 'companies' && id === user?.company.id)
}

function staleAccount(id: string, scope: 'data' | 'files'): void {
  stale('record', 'accounts', id)
  stale('activity', 'accounts', id)
  if (scope === 'files') return
  stale('checks', id)
  stale('metric', id)
  stale('map', id)
}

export const staleAfter: Rules = {
  user: {
    notification: () => {
      stale('notifications')
      // It may be about a download.
      stale('downloads')
    },
    'record-opened': ({ model }) => stale('index', model),
  },
  account: {
    'model-updated': ({ id, updatedAt, scope }) => {
      // An import has its own state, which the account of this page does not have.
      stale('import')
      stale('index', 'property_imports')
      if (!isKnown(id, updatedAt)) staleAccount(id, scope)
    },
  },
  datatable: {
    'model-updated': ({ model, id }) => {
      staleRow(model, id)
    },
  },
}

/** The event of a change that this page made itself is no news. */
function isKnown(accountId: string, updatedAt: string): boolean {
  const account = queryClient.getQueryData<{ updated_at: string }>(['record', 'accounts', accountId])
  return account !== undefined && Date.parse(updatedAt) <= Date.parse(account.updated_at)
}

/** Counts the writes of this page, whose outcome lists show immediately. */
export const ownWrites = createStore(0)
export const countOwnWrite = (): void => ownWrites.set(ownWrites.get() + 1)

/** The same rules after a write of this page, without waiting for the event. */
export function invalidateAfterWrite(model: string, id: string | null, accountId: string | null = null): void {
  staleRow(model, id)
  if (accountId !== null) staleAccount(accountId, 'data')
  countOwnWrite()
}

/** After a check of an account was requested or finished: everything that shows scores or discrepancies. */
export function staleChecks(accountId: string): void {
  for (const kind of ['checks', 'metric', 'map']) stale(kind, accountId)
  for (const model of ['account_properties', 'discrepancies']) stale('index', model)
  stale('record', 'account_properties')
}
