import { expect, test } from 'vitest'
import { leftOutText, type DownloadContent } from './download-content.ts'

const content = (more: Partial<DownloadContent>): DownloadContent => ({
  requested: 23,
  included: 22,
  selected: false,
  left_out: [],
  ...more,
})

test('a download with all requested documents has nothing to say', () => {
  expect(leftOutText(content({}))).toBeUndefined()
})

test.each<[Partial<DownloadContent>, string]>([
  [{ left_out: [{ reason: 'unreadable', count: 1, names: [] }] }, '22 of 23 documents; 1 could not be read'],
  [
    { requested: 5, included: 3, selected: true, left_out: [{ reason: 'not_disclosed', count: 2, names: ['a', 'b'] }] },
    '3 of 5 selected documents; 2 are not disclosed: a, b',
  ],
  [
    { left_out: [{ reason: 'unreadable', count: 1_200, names: ['a', 'b', 'c', 'd'] }] },
    '22 of 23 documents; 1,200 could not be read: a, b, c and 1,197 more',
  ],
  [
    {
      requested: 1,
      included: 0,
      selected: true,
      left_out: [
        { reason: 'not_disclosed', count: 1, names: [] },
        { reason: 'not_found', count: 1, names: [] },
      ],
    },
    '0 of 1 selected document; 1 is not disclosed; 1 was not found',
  ],
])('a download says what was left out: %j', (more, text) => {
  expect(leftOutText(content(more))).toBe(text)
})

test('names are left out where they are not wanted', () => {
  expect(leftOutText(content({ left_out: [{ reason: 'unreadable', count: 1, names: ['roof.pdf'] }] }), false)).toBe(
    '22 of 23 documents; 1 could not be read',
  )
})
