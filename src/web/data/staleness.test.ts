import { afterEach, expect, test } from 'vitest'
import { queryClient } from './query-client.ts'
import { staleAfter } from './staleness.ts'

const ACCOUNT = '0198c0de-0000-7000-8000-00000000000a'
const KEYS = {
  account: ['record', 'accounts', ACCOUNT],
  activity: ['activity', ACCOUNT],
  metric: ['metric', ACCOUNT, 'reconciliation'],
  otherMetric: ['metric', '0198c0de-0000-7000-8000-00000000000b', 'reconciliation'],
  properties: ['index', 'account_properties', {}],
  companies: ['index', 'companies', {}],
} as const

const know = () => {
  for (const key of Object.values(KEYS)) queryClient.setQueryData(key, { updated_at: '2026-03-01T10:00:00.000Z' })
}
const stale = () => Object.entries(KEYS).flatMap(([name, key]) => (queryClient.getQueryState(key)?.isInvalidated === true ? [name] : []))

afterEach(() => queryClient.clear())

test('changed data of an account makes its record, metrics and activity stale', () => {
  know()
  staleAfter.account['model-updated']({ id: ACCOUNT, updatedAt: '2026-03-01T10:00:01.000Z', scope: 'data' })
  expect(stale()).toEqual(['account', 'activity', 'metric'])
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

test('a changed row makes the lists of its model stale, and only those', () => {
  know()
  staleAfter.datatable['model-updated']({
    model: 'account_properties',
    id: null,
    account_id: ACCOUNT,
    updatedAt: '2026-03-01T10:00:01.000Z',
  })
  expect(stale()).toEqual(['properties'])
})
