import { QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import { queryClient } from './query-client.ts'
import { invalidateAfterWrite, staleAfter } from './staleness.ts'

const ACCOUNT = '0198c0de-0000-7000-8000-00000000000a'
const PROPERTY = '0198c0de-0000-7000-8000-0000000000b1'
const KEYS = {
  account: ['record', 'accounts', ACCOUNT],
  activity: ['activity', 'accounts', ACCOUNT],
  metric: ['metric', ACCOUNT, 'reconciliation'],
  otherMetric: ['metric', '0198c0de-0000-7000-8000-00000000000b', 'reconciliation'],
  properties: ['index', 'account_properties', {}],
  companies: ['index', 'companies', {}],
  propertyActivity: ['activity', 'account_properties', PROPERTY],
  history: ['history', PROPERTY],
  otherHistory: ['history', '0198c0de-0000-7000-8000-0000000000b2'],
} as const

const know = () => {
  for (const key of Object.values(KEYS)) queryClient.setQueryData(key, { updated_at: '2026-03-01T10:00:00.000Z' })
}
const stale = () => Object.entries(KEYS).flatMap(([name, key]) => (queryClient.getQueryState(key)?.isInvalidated === true ? [name] : []))

afterEach(() => queryClient.clear())

test('changed data of an account makes its record, metrics, activity and the totals of its properties stale', () => {
  know()
  staleAfter.account['model-updated']({ id: ACCOUNT, updatedAt: '2026-03-01T10:00:01.000Z', scope: 'data' })
  expect(stale()).toEqual(['account', 'activity', 'metric', 'properties'])
})

test('after a write, what several rules name is loaded once', async () => {
  let requests = 0
  const queryFn = () => {
    requests += 1
    return { updated_at: '2026-03-01T10:00:00.000Z' }
  }
  const stop = new QueryObserver(queryClient, { queryKey: KEYS.account, queryFn }).subscribe(() => undefined)
  await expect.poll(() => requests).toBe(1)
  invalidateAfterWrite('accounts', ACCOUNT, ACCOUNT)
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  expect(requests).toBe(2)
  stop()
})

test('changed files leave the metrics as they are', () => {
  know()
  staleAfter.account['model-updated']({ id: ACCOUNT, updatedAt: '2026-03-01T10:00:01.000Z', scope: 'files' })
  expect(stale()).toEqual(['account', 'activity'])
})

test('an event no later than what is known changes nothing', () => {
  know()
  staleAfter.account['model-updated']({ id: ACCOUNT, updatedAt: '2026-03-01T10:00:00.000Z', scope: 'data' })
  expect(stale()).toEqual([])
})

test('a changed property makes its activity and history stale', () => {
  know()
  const event = {
    model: 'account_properties',
    id: PROPERTY,
    account_id: ACCOUNT,
    updatedAt: '2026-03-01T10:00:01.000Z',
    scope: 'data',
  } as const
  staleAfter.datatable['model-updated'](event)
  expect(stale()).toEqual(['properties', 'propertyActivity', 'history'])
})

test('changed rows make the lists, activity and history of their model stale, and only those', () => {
  know()
  staleAfter.datatable['model-updated']({
    model: 'account_properties',
    id: null,
    account_id: ACCOUNT,
    updatedAt: '2026-03-01T10:00:01.000Z',
    scope: 'data',
  })
  expect(stale()).toEqual(['properties', 'propertyActivity', 'history', 'otherHistory'])
})

test('a change without an id makes every open record of the model stale, since any of them may show it', () => {
  know()
  staleAfter.datatable['model-updated']({
    model: 'accounts',
    id: null,
    account_id: null,
    updatedAt: '2026-03-01T10:00:01.000Z',
    scope: 'data',
  })
  expect(stale()).toEqual(['account', 'activity'])
})

test('a record that the user opened makes only the lists of its model stale', () => {
  know()
  staleAfter.user['record-opened']({ model: 'account_properties' })
  expect(stale()).toEqual(['properties'])
})

test.each(['subscriptions', 'roles'] as const)('a change of %s makes the session stale only if it shows them', (model) => {
  queryClient.setQueryData(['init'], {})
  staleAfter.datatable['model-updated']({ model, id: ACCOUNT, account_id: null, updatedAt: '2026-03-01T10:00:01.000Z', scope: 'data' })
  expect(queryClient.getQueryState(['init'])?.isInvalidated).toBe(model === 'subscriptions')
})

test('changed rules of the checks make the state of every check stale', () => {
  const key = ['checks', ACCOUNT]
  queryClient.setQueryData(key, {})
  staleAfter.datatable['model-updated']({
    model: 'discrepancies',
    id: null,
    account_id: null,
    updatedAt: '2026-03-01T10:00:01.000Z',
    scope: 'data',
  })
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true)
})

describe('an event of an account', () => {
  const OTHER = '0198c0de-0000-7000-8000-00000000000b'
  const row = (model: Model, id: string | null = null) => ({ model, id, account_id: ACCOUNT, updatedAt: '2026-03-01T10:00:01.000Z' })
  const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated
  const lists = {
    here: ['index', 'account_files', { filter__account_id: ACCOUNT, page: '1' }],
    elsewhere: ['index', 'account_files', { filter__account_id: OTHER, page: '1' }],
    all: ['index', 'account_files', { page: '1' }],
    searched: ['index', 'account_files', { filter__account_id: ACCOUNT, search: 'roof' }],
    searchedElsewhere: ['index', 'account_files', { filter__account_id: OTHER, search: 'roof' }],
    byText: ['index', 'account_files', { filter__account_id: ACCOUNT, filter__text: 'waiting' }],
    document: ['record', 'account_files', 'f1'],
    documentElsewhere: ['record', 'account_files', 'f2'],
    activity: ['activity', 'account_files', 'f1'],
    activityElsewhere: ['activity', 'account_files', 'f2'],
  } as const
  const knowLists = () => {
    for (const key of Object.values(lists)) queryClient.setQueryData(key, {})
    queryClient.setQueryData(lists.document, { account_id: ACCOUNT })
    queryClient.setQueryData(lists.documentElsewhere, { account_id: OTHER })
  }
  const staleLists = () => Object.entries(lists).flatMap(([name, key]) => (isStale(key) === true ? [name] : []))

  test('leaves lists and documents of other accounts as they are', () => {
    knowLists()
    staleAfter.datatable['model-updated']({ ...row('account_files'), scope: 'files' })
    expect(staleLists()).toEqual(['here', 'all', 'searched', 'byText', 'document', 'activity'])
  })

  test('about a text makes only documents, and lists that are searched or filtered by texts, stale', () => {
    knowLists()
    staleAfter.datatable['model-updated']({ ...row('account_files'), scope: 'texts' })
    expect(staleLists()).toEqual(['searched', 'byText', 'document'])
  })

  test('does not parse keys and data again that earlier events have parsed', () => {
    let parsed = 0
    const counted = <Name extends string>(name: Name, value: string) =>
      Object.defineProperty({}, name, {
        enumerable: true,
        get: () => {
          parsed += 1
          return value
        },
      })
    for (let index = 0; index < 500; index += 1) {
      queryClient.setQueryData(['index', 'account_files', counted('filter__account_id', index % 2 === 0 ? ACCOUNT : OTHER), index], {})
      queryClient.setQueryData(['record', 'account_files', `f${index}`], () => counted('account_id', OTHER))
    }
    const event = (scope: 'files' | 'texts') => staleAfter.datatable['model-updated']({ ...row('account_files'), scope })
    event('files')
    event('texts')
    parsed = 0
    for (let again = 0; again < 20; again += 1) {
      event('files')
      event('texts')
    }
    expect(parsed).toBe(0)
  })

  test('about discrepancies leaves the checks and metrics of other accounts as they are', () => {
    const keys = [ACCOUNT, OTHER].flatMap((id) => [['checks', id] as const, ['metric', id, 'reconciliation'] as const])
    for (const key of [...keys, ['metric', 'all', 'accountsSummary']]) queryClient.setQueryData(key, {})
    staleAfter.datatable['model-updated']({ ...row('discrepancies'), scope: 'data' })
    expect(keys.map(isStale)).toEqual([true, true, false, false])
    expect(isStale(['metric', 'all', 'accountsSummary'])).toBe(true)
  })
})
