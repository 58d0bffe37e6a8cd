import { describe, expect, test } from 'vitest'
import { answerRange } from './download.ts'

const file = { size: 1000, etag: 'abc', modifiedAt: new Date('2026-02-03T04:05:06Z') }
const answerTo = (range?: string, ifRange?: string) => answerRange({ range, 'if-range': ifRange }, file)

test('sends the whole file without a range', () => {
  expect(answerTo()).toEqual({
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
])('sends the requested bytes for %s', (range, start, end) => {
  const answer = answerTo(range)
  expect([answer.status, answer.range]).toEqual([206, { start, end }])
  expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/1000`)
  expect(answer.headers['content-length']).toBe(String(end - start + 1))
})

test.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0'])('answers 416 for %s', (range) => {
  const answer = answerTo(range)
  expect([answer.status, answer.range, answer.headers['content-range']]).toEqual([416, undefined, 'bytes */1000'])
})

test.each(['bytes=5-4', 'bytes=-', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=a-b'])(
  'sends the whole file for %s, which is not a single valid range',
  (range) => {
    expect(answerTo(range).status).toBe(200)
  },
)

describe('If-Range', () => {
  test.each(['"abc"', 'Tue, 03 Feb 2026 04:05:06 GMT'])('sends the range if %s still matches', (ifRange) =>
    expect(answerTo('bytes=1-2', ifRange).status).toBe(206),
  )
  test.each(['"other"', 'W/"abc"', 'Tue, 03 Feb 2026 04:05:07 GMT'])('sends the whole file if %s no longer matches', (ifRange) => {
    expect(answerTo('bytes=1-2', ifRange).status).toBe(200)
  })
})

test('answers 416 for any range of an empty file', () => {
  const empty = { size: 0, etag: 'e' }
  expect(answerRange({}, empty)).toMatchObject({ status: 200, headers: { 'content-length': '0' } })
  expect(answerRange({ range: 'bytes=0-' }, empty).status).toBe(416)
})
