import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { readRow } from './read-row.ts'

const plan = (first: string, second: string) =>
  createReadPlan(
    { A: first, B: second } as never,
    () => '',
    (_, header) => columnStyle(header, [], SETTINGS),
    {},
  )
const read = (first: string, second: string, [a, b] = ['percent_sprinklered', 'sprinklered']) => {
  const { fields, issues } = readRow([first, second], plan(a ?? '', b ?? ''))
  const { sprinklered, percent_sprinklered: percent, sprinkler_system: system } = fields
  return [
    sprinklered,
    percent,
    system,
    issues
      .filter(({ field }) => field === 'sprinklered')
      .map(({ code }) => code)
      .join(),
  ]
}

test.each([
  ['75%', 'ESFR', ['partial', 75, undefined, 'word_to_confirm']],
  ['50%', 'Dry', ['partial', 50, 'dry', 'word_to_confirm']],
  ['100%', 'Wet', ['full', 100, 'wet', '']],
  ['0%', 'None', ['none', 0, undefined, '']],
])('a share of %s counts before the system %s', (percent, system, expected) => {
  expect(read(percent, system)).toEqual(expected)
  expect(read(system, percent, ['sprinklered', 'percent_sprinklered'])).toEqual(expected)
})

test('protection that two columns contradict is to be confirmed', () =>
  expect(read('0%', 'Wet')).toEqual(['none', 0, 'wet', 'word_to_confirm']))
