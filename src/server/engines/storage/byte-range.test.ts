import { describe, expect, test } from 'vitest'
import { answerRange } from './byte-range.ts'

const file = { size: 1000, etag: 'abc', modifiedAt: new Date('2026-02-03T04:05:06Z') }
const asked = (range?: string, ifRange?: string) => answerRange({ range, 'if-range': ifRange }, file)

test('without a range everything is sent, and ranges are offered', () => {
  expect(asked()).toEqual({
    status: 200,
    range: { start: 0, end: 999 },
    headers: { 'accept-ranges': 'bytes', etag: '"abc"', 'last-modified': 'Tue, 03 Feb 2026 04:05:06 GMT', 'content-length': '1000' },
  })
})

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=10-19', 10, 19],
  ['bytes=990-', 990, 999],
  ['bytes=-10', 990, 999],
  ['bytes=-5000', 0, 999],
  ['bytes=900-5000', 900, 999],
])('%s is answered with that stretch', (range, start, end) => {
  const answer = asked(range)
  expect([answer.status, answer.range]).toEqual([206, { start, end }])
  expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/1000`)
  expect(answer.headers['content-length']).toBe(String(end - start + 1))
})

test.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0'])('%s lies outside', (range) => {
  const answer = asked(range)
  expect([answer.status, answer.range, answer.headers['content-range']]).toEqual([416, undefined, 'bytes */1000'])
})

test.each(['bytes=5-4', 'bytes=-', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=a-b'])('%s is no single range: everything is sent', (range) => {
  expect(asked(range).status).toBe(200)
})

describe('If-Range', () => {
  test.each(['"abc"', 'Tue, 03 Feb 2026 04:05:06 GMT'])('%s still holds', (ifRange) => expect(asked('bytes=1-2', ifRange).status).toBe(206))
  test.each(['"other"', 'W/"abc"', 'Tue, 03 Feb 2026 04:05:07 GMT'])('%s no longer holds: everything is sent', (ifRange) => {
    expect(asked('bytes=1-2', ifRange).status).toBe(200)
  })
})

test('an empty file has no range to give', () => {
  const empty = { size: 0, etag: 'e' }
  expect(answerRange({}, empty)).toMatchObject({ status: 200, headers: { 'content-length': '0' } })
  expect(answerRange({ range: 'bytes=0-' }, empty).status).toBe(416)
})
