import { describe, expect, test } from 'vitest'
import { MONEY_MAX } from '#contract/property-fields.ts'
import type { RowFields, RowIssue } from './results.ts'
import { settleRepeats, type RepeatDecision } from './settle-repeats.ts'

/** The rows after the decision, and the numbers of those that are left out. */
function settle(decision: RepeatDecision, ...all: RowFields[]) {
  const issue: RowIssue = { column: 'C', field: 'city', code: 'required_missing', severity: 'error', message: '', value: null }
  const rows = all.map((fields, at) => ({ number: at + 1, fields: { ...fields }, issues: [issue] }))
  const left = settleRepeats(rows, decision, (number) => `line ${number}`)
  return { rows, fields: rows.map(({ fields }) => fields), left: [...left].map(({ number }) => number) }
}
const at = (location: string | null, over: RowFields = {}): RowFields => ({ location_number: location, ...over })

describe('rows that repeat a location and building number', () => {
  const REPEATED = [at('1'), at('2'), at('1', { building_number: '1' }), at('1', { building_number: '3' }), at(null), at(null), at('1')]
  test('stay as they are if the user corrects them', () => {
    const { rows, fields, left } = settle('errors', ...REPEATED)
    expect([fields, left]).toEqual([REPEATED, []])
    expect(rows.every(({ issues }) => issues[0]?.column === 'C')).toBe(true)
  })
  test('become buildings with the next numbers that their location does not have', () => {
    const { fields, left } = settle('buildings', ...REPEATED, at('2'))
    expect(fields.map(({ building_number }) => building_number)).toEqual([undefined, undefined, '2', '3', undefined, undefined, '4', '2'])
    expect(left).toEqual([])
  })
  test('are left out except for the first one, with the reason as their only issue', () => {
    const priced = REPEATED.map((fields) => ({ ...fields, building_value: 5 }))
    const { rows, fields, left } = settle('first', ...priced)
    expect([left, fields]).toEqual([[3, 7], priced])
    expect(rows[2]?.issues).toEqual([
      {
        column: null,
        field: 'location_number',
        code: 'duplicate_in_file',
        severity: 'warning',
        message: 'It repeats line 1, as decided for all repeated locations.',
        value: '1',
      },
    ])
    expect(rows[0]?.issues[0]?.column).toBe('C')
  })
  test('are added up in the first one, which then has all amounts', () => {
    const { rows, fields, left } = settle(
      'sum',
      at('1', { building_value: 5, currency: 'USD', year_built: 1990 }),
      at('1', { building_value: 6, contents_value: 7, stated_tiv: 13, currency: 'USD', year_built: 1980 }),
    )
    expect(fields).toEqual([
      at('1', { building_value: 11, contents_value: 7, stated_tiv: 13, currency: 'USD', year_built: 1990 }),
      at('1', { currency: 'USD', year_built: 1980 }),
    ])
    expect([left, rows[1]?.issues[0]?.message]).toEqual([[2], 'Its values are added to line 1, as decided for all repeated locations.'])
  })
  test('are not added up in two currencies, or to more than a property can be worth', () => {
    const sum = (...rows: RowFields[]) => settle('sum', ...rows)
    const currencies = [at('1', { building_value: 5, currency: 'USD' }), at('1', { building_value: 6, currency: 'EUR' })]
    expect(sum(...currencies)).toMatchObject({ fields: currencies, left: [] })
    const large = [at('1', { building_value: MONEY_MAX, bi_value: 1 }), at('1', { building_value: 1, bi_value: 1 })]
    expect(sum(...large)).toMatchObject({ fields: large, left: [] })
    expect(sum(at('1', { building_value: MONEY_MAX - 1 }), at('1', { building_value: 1 })).left).toEqual([2])
  })
})
