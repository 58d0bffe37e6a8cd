import { expect, test } from 'vitest'
import { answeredIn, answersOf, partsOf } from './answer-labels.ts'
import { checkedImport } from './imports.fixture.ts'

test('the unit of one column is answered and changed on its own', () => {
  const message = 'The file says “Values? In thousands. But BI”. Are the values in column G, “Building”, in thousands?'
  const question = { constant: 'factor_G', suggestion: null, message, options: { 1: 'No, as written', 1000: 'Yes, × 1,000' } }
  expect(partsOf(message).question).toBe('Are the values in column G, “Building”, in thousands?')
  expect(answersOf(question)).toEqual({
    suggested: null,
    others: [
      { value: '1', label: 'No, as written' },
      { value: '1000', label: 'Yes, × 1,000' },
    ],
  })
  const constants = { factor_G: '1000', factor_H_1: '1' }
  expect(answeredIn(checkedImport({ constants, questions: [] }))).toEqual([
    { constant: 'factor_G', text: 'the values in column G are in thousands' },
    { constant: 'factor_H_1', text: 'the values in column H are as written' },
  ])
})
