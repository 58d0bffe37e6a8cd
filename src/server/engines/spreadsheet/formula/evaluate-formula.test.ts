import { describe, expect, it } from 'vitest'
import { evaluateFormula, moveFormula } from './evaluate-formula.ts'

// The cells of row 1: 2, 3, a text, empty, unknown. Row 2 has ten times the numbers of row 1.
const CELLS: Readonly<Record<string, string | number | null>> = { '1,1': 2, '2,1': 3, '3,1': 'n/a', '1,2': 20, '2,2': 30, '4,1': null }
const getCell = (column: number, row: number) => (column === 5 ? undefined : (CELLS[`${column},${row}`] ?? null))
const evaluate = (formula: string) => evaluateFormula(formula, getCell)

describe('evaluateFormula returns the result of', () => {
  it.each([
    ['SUM(A1:B1)', 5],
    ['=SUM(A1:B2)', 55],
    ['SUM(B2:A1)', 55],
    ['SUM(A1,B1,10)', 15],
    ['SUM(A1:B1, A2:B2, 2*3)', 61],
    ['sum($A$1:b$1)', 5],
    ['SUM(A1:D1)', 5],
    ['SUM(C1,A1)', 2],
    ['A1+B1*2', 8],
    ['(A1+B1)*2', 10],
    ['A1-B1-1', -2],
    ['B2/A1/5', 3],
    ['-A1+-2', -4],
    ['+A1', 2],
    ['D1+1', 1],
    ['1.5E3*.5', 750],
    ['SUM(A1:B1)/SUM(A2:B2)', 0.1],
    ['SUM(SUM(A1:B1),-(B1))', 2],
  ])('%s', (formula, result) => expect(evaluate(formula)).toBe(result))
})

describe('evaluateFormula has no result for', () => {
  it.each([
    ['text in arithmetic', 'A1+C1'],
    ['an unknown cell', 'SUM(A1:E1)'],
    ['division by zero', 'A1/D1'],
    ['other functions', 'IF(A1>1,1,0)'],
    ['other sheets', "SUM('Rates 2025'!A1:A2)"],
    ['other sheets without quotes', 'Rates!A1'],
    ['whole columns', 'SUM(A:A)'],
    ['text', '"a"&A1'],
    ['percent signs', 'A1%'],
    ['broken formulas', 'SUM(A1'],
    ['trailing operators', 'A1+'],
    ['nothing', ''],
    ['deep nesting', `${'('.repeat(5_000)}A1${')'.repeat(5_000)}`.slice(0, 8_000)],
    ['very long formulas', `A1${'+A1'.repeat(5_000)}`],
    ['errors', '#REF!+1'],
  ])('%s', (_, formula) => expect(evaluate(formula)).toBeUndefined())
})

describe('moveFormula', () => {
  const move = (formula: string) => moveFormula({ formula, row: 7, column: 18 }, 9, 19)

  it.each([
    ['SUM(O7:Q7)', 'SUM(P9:R9)'],
    ['$A$1*A$1+$A1', '$A$1*B$1+$A3'],
    ['"A1"&A1', '"A1"&B3'],
    ["'A1 sheet'!A1", "'A1 sheet'!B3"],
    ['LOG10(A1)', 'LOG10(B3)'],
    ['Z1', 'AA3'],
  ])('%s', (formula, moved) => expect(move(formula)).toBe(moved))

  it('turns a reference beyond the edge of the sheet into an error', () =>
    expect(moveFormula({ formula: 'A1', row: 2, column: 1 }, 1, 1)).toBe('#REF!'))
})
