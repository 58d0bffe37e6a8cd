import { expect, it } from 'vitest'
import { pie, type Slice } from './chart.ts'

const options = { title: 'Property Types', icon: 'category', notStated: 'unknown', others: 'types', action: () => null }
const slice = (id: string, count: number, tiv: number): Slice => ({ id, name: id, count, tiv })

it('a part of few records with much of the value is shown by itself, and the parts are in the order of their number', () => {
  const many = Array.from({ length: 8 }, (_, index) => slice(`type ${index}`, 20 - index, 1_000))
  const { labels } = pie({ ...options, slices: [...many, slice('valuable', 1, 1_000_000)] }).chart
  expect(labels).toEqual(['type 0', 'type 1', 'type 2', 'type 3', 'type 4', 'type 5', 'valuable', 'Other types (2)'])
})
