import { describe, expect, test } from 'vitest'
import { factorOf } from './amount-notation.ts'
import { isOfOtherAmounts, labelsWithUnits, textsAboutAll, unclearUnits, unitNotes } from './unit-notes.ts'

const LABELS = ['Loc #', 'Building', 'Contents', 'BI', 'Fine Art Value', 'Sq Ft']
const factors = (...texts: string[]) => labelsWithUnits(LABELS, unitNotes(texts)).map(factorOf)

describe('texts that name the unit of single columns', () => {
  test.each([
    ['Contents are in thousands', [1, 1, 1_000]],
    ['* Contents values in $000s.', [1, 1, 1_000]],
    ['Contents: amounts in thousands', [1, 1, 1_000]],
    ['Contents (in thousands)', [1, 1, 1_000]],
    ['Contents amounts have been divided by 1,000', [1, 1, 1_000]],
    ['$000s (contents only)', [1, 1, 1_000]],
    ['Business personal property (BPP) is in thousands', [1, 1, 1_000]],
    ['Please note that contents (col. G) are in thousands', [1, 1, 1_000]],
    ['All amounts in whole dollars except contents, which are in thousands', [1, 1, 1_000]],
    ['Everything in thousands but BI, which is in dollars', [1, 1_000, 1_000, 1, 1_000]],
    ['BI in 1000s; everything else in dollars', [1, 1, 1, 1_000]],
    ['Column C is in thousands', [1, 1, 1_000]],
    ['Columns B and D in $000s; column C in dollars', [1, 1_000, 1, 1_000]],
    ['Col. C (Contents): $ thousands', [1, 1, 1_000]],
    ['Acme – Statement of Values – Contents in thousands', [1, 1, 1_000]],
    ['Inhalt in TEUR, Gebäude in EUR', [1, 1, 1_000]],
    ['Building values shown in $000s; contents and BI in full dollars', [1, 1_000]],
    ['Building in USD thousands, contents in USD', [1, 1_000]],
    ['Values in thousands of dollars for buildings', [1, 1_000]],
    ['Values in thousands for buildings and in full dollars for contents', [1, 1_000]],
    ['In thousands: Building, Contents', [1, 1_000, 1_000]],
    ['Building and contents values in thousands; BI not in thousands', [1, 1_000, 1_000]],
    ['Business income and extra expense is in $ millions', [1, 1, 1, 1_000_000]],
    ['All values in $000s except BI', [1, 1_000, 1_000, 1, 1_000]],
    ['All values except BI are in $000s', [1, 1_000, 1_000, 1, 1_000]],
    ['Values in thousands, BI in full dollars', [1, 1_000, 1_000, 1, 1_000]],
    ['Values in thousands (excluding BI)', [1, 1_000, 1_000, 1, 1_000]],
    ['All values in $000s except BI in $ millions', [1, 1_000, 1_000, 1_000_000, 1_000]],
  ])('give it to these only: “%s”', (text, expected) => {
    expect(factors(text)).toEqual(LABELS.map((_, index) => expected[index] ?? 1))
    expect(textsAboutAll([text, 'Acme'], String, unitNotes([text]))).toEqual(['Acme'])
    expect(unclearUnits([text])).toEqual([])
  })
  test('are combined with the one about all', () =>
    expect(factors('All values in $000s', 'BI in full dollars')).toEqual([1, 1_000, 1_000, 1, 1_000, 1]))
  test.each([
    ['All values in thousands'],
    ['Replacement cost values in $000s'],
    ['TIV in thousands'],
    ['Limits in thousands'],
    ['Downtown Buildings LLC, values in thousands'],
    ['Statement of values: buildings and contents ($000s)'],
    ['Contents in thousands', 'Contents in millions'],
    ['All values in $000s', 'BI in thousands'],
    ['Values are in thousands, not in millions'],
  ])('are not those about all columns: %j', (...texts) => {
    expect(unitNotes(texts)).toBeUndefined()
    expect(textsAboutAll(texts, String, undefined)).toEqual(texts)
  })
  test('are those about premiums, deductibles and loans, which have no column', () => {
    const texts = ['Premiums in thousands', 'Deductible and premium in $000s', 'Loan balance in $ millions']
    expect(texts.map(isOfOtherAmounts)).toEqual([true, true, true])
    expect(isOfOtherAmounts('Values and premiums in thousands')).toBe(false)
  })
  test('do not change the unit that a header names itself', () =>
    expect(labelsWithUnits(['Contents ($M)'], unitNotes(['Contents in thousands']))).toEqual(['Contents ($M)']))
})

test.each([
  'Values not in thousands',
  'Amounts are not rounded to the nearest thousands',
  'Values aren’t in $000s',
  'Do not enter amounts in thousands',
  'Whole dollars, never in $K',
  'Building (not in 000s)',
])('“%s” announces no factor', (text) => expect(factorOf(text)).toBe(1))
