import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import { staleAfter } from './staleness.ts'

const ACCOUNT = '0198c0de-0000-7000-8000-00000000000a'
const OTHER = '0198c0de-0000-7000-8000-00000000000b'
const ANSWER_MS = 200
let requests = 0
let changes = 0
let stop = () => undefined as void

/** What has been changed on the server, and what the list on screen shows of it. */
const list = { queryKey: ['index', 'account_files', { filter__account_id: ACCOUNT }] }
const shown = () => queryClient.getQueryData(list.queryKey)

const event = (account_id: string) => {
  changes += 1
  staleAfter.datatable['model-updated']({ model: 'account_files', id: null, account_id, updatedAt: '', scope: 'files' })
}

beforeEach(async () => {
  vi.useFakeTimers()
  requests = 0
  changes = 0
  const queryFn = async () => {
    requests += 1
    const read = changes
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
    return read
  }
  stop = new QueryObserver(queryClient, { ...list, queryFn }).subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(ANSWER_MS)
  requests = 0
})
afterEach(() => {
  stop()
  queryClient.clear()
  vi.useRealTimers()
})

test('a list on screen is not loaded again by 30 events of another account', async () => {
  for (let at = 0; at < 30; at += 1) {
    event(OTHER)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(requests).toBe(0)
})

test('30 events within three seconds load the list at once, then once a second, and last after the last event', async () => {
  event(ACCOUNT)
  await vi.advanceTimersByTimeAsync(ANSWER_MS)
  expect(shown()).toBe(1)
  for (let at = 1; at < 30; at += 1) {
    event(ACCOUNT)
    await vi.advanceTimersByTimeAsync(96)
  }
  expect(requests).toBe(3)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(requests).toBe(4)
  expect(shown()).toBe(30)
})

test('a slow answer is not given up for the next event, after which the list is loaded again', async () => {
  event(ACCOUNT)
  await vi.advanceTimersByTimeAsync(ANSWER_MS / 2)
  event(ACCOUNT)
  await vi.advanceTimersByTimeAsync(ANSWER_MS / 2)
  expect(shown()).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(requests).toBe(2)
  expect(shown()).toBe(2)
})

test('a list that is not on screen is only marked as stale', async () => {
  stop()
  event(ACCOUNT)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(requests).toBe(0)
  expect(queryClient.getQueryState(list.queryKey)?.isInvalidated).toBe(true)
})

test('an event during the first request of a list loads it again, because the answer may be older', async () => {
  stop()
  queryClient.clear()
  const queryFn = async () => {
    const read = changes
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
    return read
  }
  stop = new QueryObserver(queryClient, { ...list, queryFn }).subscribe(() => undefined)
  const before = changes
  await vi.advanceTimersByTimeAsync(ANSWER_MS / 2)
  event(ACCOUNT)
  await vi.advanceTimersByTimeAsync(ANSWER_MS / 2)
  expect(shown()).toBe(before)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(shown()).toBe(before + 1)
})
