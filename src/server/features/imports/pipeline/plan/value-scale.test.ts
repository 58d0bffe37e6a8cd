import { expect, test } from 'vitest'
import { registerRow } from '#server/features/imports/imports.fixture.ts'
import { scaleQuestion, scaleSigns } from './value-scale.ts'

/** The question about rows whose building had the first value and has the second one now. */
function ask(...values: (readonly [before: number, after: number])[]) {
  const tally: Record<string, number> = {}
  for (const [before, after] of values) {
    const property = registerRow('hall', { building_value: before })
    for (const sign of scaleSigns({ fields: { building_value: after, property_name: 'Hall' }, property }))
      tally[sign] = (tally[sign] ?? 0) + 1
  }
  return scaleQuestion(tally).map(({ suggestion, message }) => [suggestion, message])
}
const FELL = [2_000_000, 2_100] as const
const SAME = [2_000_000, 2_300_000] as const

test.each([
  [[FELL], '1000', '1 of 1 matched property would fall to a thousandth. Are they in thousands?'],
  [
    [FELL, FELL, FELL, FELL, SAME],
    null,
    '4 of 5 matched properties would fall to a thousandth. Are they in thousands? 1 building would then be worth more than a building can be, so correct the cells first if their units differ.',
  ],
  [[[3_000_000, 3]], '1000000', '1 of 1 matched property would fall to a millionth. Are they in millions?'],
  [[[2_100, 2_000_000]], '1', '1 of 1 matched property would rise to a thousandfold. Import them as written?'],
] as const)('a change of %j is a question', (values, suggestion, message) =>
  expect(ask(...values)).toEqual([[suggestion, `The values of ${message}`]]),
)

test('a large change of a few values is not a question about all of them', () => {
  expect(ask(FELL, FELL, FELL, SAME)).toEqual([])
  expect(ask([3_000_000, 100_000], [2_000_000, 80_000])).toEqual([])
  expect(ask([3_000, 3_100], [2_000, 2_100])).toEqual([])
})
