import { expect, test } from 'vitest'
import { pie } from './chart.ts'

const namesOf = (count: number) => {
  const slices = Array.from({ length: count }, (_, index) => ({ id: `S${index}`, name: `State ${index}`, count: count - index, tiv: 0 }))
  const { counts } = pie({ title: 'Locations', icon: 'map', slices, notStated: '', others: 'locations', action: () => null })
  return counts.map(({ name }) => name)
}

test('the slices of a pie after the seventh are one slice, but a single one has its own name', () => {
  expect(namesOf(7)).toHaveLength(7)
  expect(namesOf(8).at(-1)).toBe('State 7')
  expect(namesOf(9).slice(-2)).toEqual(['State 6', 'Other locations (2)'])
})
