import { expect, test } from 'vitest'
import { normalizeHeader, scoreHeader } from './headers.ts'

test.each([
  ['Effective Year Built', 'year_upgraded'],
  ['EffYearBuilt', 'year_upgraded'],
  ['Eff. Yr. Built', 'year_upgraded'],
  ['Actual Year Built', 'year_built'],
  ['ActualYearBuilt', 'year_built'],
])('“%s” is %s', (header, target) => expect(scoreHeader(normalizeHeader(header))[0]).toMatchObject({ target, score: 1 }))
