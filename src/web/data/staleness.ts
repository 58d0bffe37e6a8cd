import type { ChannelEvents } from '#contract/events.ts'
import { queryClient } from './query-client.ts'
import { knownSession } from './session.ts'

/** A rule for every event of every channel: a new event does not compile without one. */
type Rules = { [K in keyof ChannelEvents]: { [E in keyof ChannelEvents[K]]: (payload: ChannelEvents[K][E]) => void } }

const stale = (...key: unknown[]) => void queryClient.invalidateQueries({ queryKey: key })

function staleRow(model: string, id: string | null): void {
  if (isOwn(model, id)) stale('init')
  stale('index', model)
  stale('search', model)
  if (id !== null) stale('record', model, id)
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
  stale('activity', id)
  if (scope === 'files') return
  stale('checks', id)
  stale('metric', id)
  stale('map', id)
}

export const staleAfter: Rules = {
  account: {
    'model-updated': ({ id, updatedAt, scope }) => {
      // An import has its own state, which the account of this page does not have.
      stale('import')
      if (!isKnown(id, updatedAt)) staleAccount(id, scope)
    },
  },
  datatable: {
    'model-updated': ({ model, id }) => {
      staleRow(model, id)
      // Events about documents carry no id, since not every subscriber has access to the document.
      if (id === null && model === 'account_files') stale('record', model)
    },
  },
}

/** The event of a change that this page made itself is no news. */
function isKnown(accountId: string, updatedAt: string): boolean {
  const account = queryClient.getQueryData<{ updated_at: string }>(['record', 'accounts', accountId])
  return account !== undefined && Date.parse(updatedAt) <= Date.parse(account.updated_at)
}

/** The same rules after a write of this page, without waiting for the event. */
export function invalidateAfterWrite(model: string, id: string | null, accountId: string | null = null): void {
  staleRow(model, id)
  if (accountId !== null) staleAccount(accountId, 'data')
}

/** After a check of an account was requested or finished: everything that shows scores or discrepancies. */
export function staleChecks(accountId: string): void {
  for (const kind of ['checks', 'metric', 'map']) stale(kind, accountId)
  for (const model of ['account_properties', 'discrepancies']) stale('index', model)
  stale('record', 'account_properties')
}
