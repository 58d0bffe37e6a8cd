import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import type { IssueGroup } from '#contract/imports.ts'
import type { PlannedColumn } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { ReadRow, RowFields, RowIssue } from '#server/features/imports/pipeline/validate/results.ts'
import type { PlannedRow } from './planned-row.ts'
import { openQuestions } from './open-questions.ts'
import { presentTally, summarize } from './summarize.ts'
import { listedProperties, replaceInTally, tallyRows, type Tally } from './tally.ts'

/** No row of the file is questionable. */
const NO_QUESTIONS = { hidden: 0, tables: [], sheets: [] }
const property = (id: string, value: number, over: Partial<RegisterRow> = {}): RegisterRow => ({
  id,
  status: 'active',
  trashed: false,
  addressKey: null,
  weakAddressKey: null,
  values: { building_value: value },
  custom: {},
  ...over,
})
const read = (fields: RowFields): ReadRow => ({ fields, custom: {}, empty: [], origin: {}, assumed: [], issues: [] })
const row = (number: number, over: Partial<PlannedRow>): PlannedRow => ({
  ...read({}),
  number,
  keys: { strong: null, weak: null },
  matchedByHand: false,
  propertyId: null,
  tab: 'add',
  property: undefined,
  rule: null,
  candidates: [],
  changes: undefined,
  tiv: 0,
  ...over,
})
const MILL = property('mill', 100)
const BARN = property('barn', 20)
const SOLD = property('sold', 3, { status: 'divested' })
type Facts = Parameters<typeof summarize>[0] & Parameters<typeof presentTally>[1]
function total({ totals = [], skipped = 0, headers = new Map(), ...over }: Partial<Facts>) {
  const { tally, firstRows } = summarize({
    rows: [],
    register: [MILL, BARN, SOLD],
    listed: new Set(),
    mode: 'add_only',
    divested: [],
    ...over,
  })
  return { tally, ...presentTally(tally, { firstRows, totals, skipped, headers }) }
}

describe('the listed properties', () => {
  test('are those that a row matches or may match', () =>
    expect([...listedProperties([row(1, { property: MILL }), row(2, { candidates: [BARN, SOLD] }), row(3, {})])]).toEqual([
      'mill',
      'barn',
      'sold',
    ]))
})

describe('the sums', () => {
  test('after the commit include added, changed, reactivated and removed properties', () => {
    const rows = [
      row(1, { tiv: 7 }),
      row(2, { tab: 'change', property: MILL, changes: { building_value: [100, 150] }, tiv: 150 }),
      row(3, { tab: 'change', property: SOLD, changes: {}, tiv: 3 }),
      row(4, { tab: 'errors', tiv: 1_000 }),
      row(5, { tab: 'unchanged', property: BARN, tiv: 20 }),
    ]
    const { sums, tabs, ticked } = total({ rows, mode: 'full_replacement', listed: new Set(['mill', 'sold']), skipped: 4 })
    expect(sums).toEqual({
      file: { rows: 5, tiv: 1_180, currency: 'USD' },
      imported: { rows: 4, tiv: 180, currency: 'USD' },
      before: { rows: 2, tiv: 120, currency: 'USD' },
      after: { rows: 3, tiv: 120 + 7 + 50 + 3 - 20, currency: 'USD' },
      stated: null,
      stated_by: 'totals_row',
      stated_parts: [],
      stated_rows: null,
      stated_in: null,
      left_out: { rows: 1, tiv: 1_000, currency: 'USD' },
      unread_rows: 0,
      removed: { rows: 1, tiv: 20, currency: 'USD' },
    })
    expect([tabs, ticked]).toEqual([{ add: 1, change: 2, unchanged: 1, remove: 1, conflict: 0, excluded: 4, errors: 1 }, 1])
  })
  test('of conflicts and of rows that the mode excludes are left out, and excluded rows are counted with those that are skipped', () => {
    const { sums, tabs } = total({ rows: [row(1, { tab: 'conflict', tiv: 5 }), row(2, { tab: 'excluded', tiv: 2 })], skipped: 2 })
    expect([sums.left_out, tabs.excluded]).toEqual([{ rows: 2, tiv: 7, currency: 'USD' }, 3])
  })
  test('as stated in the file are those of its totals rows, if each has one', () => {
    const stated = (...totals: RowFields[]) => total({ totals: totals.map(read) }).sums.stated
    expect(stated({ building_value: 5, contents_value: 1, stated_tiv: 99 }, { stated_tiv: 10 })).toBe(109)
    expect(stated({ building_value: 5 }, {})).toBeNull()
    // More than a property can be worth is not read.
    const issue = { severity: 'warning', code: 'out_of_range', field: 'building_value', message: '', column: 'F', value: null } as const
    expect(total({ totals: [{ ...read({ contents_value: 5 }), issues: [issue] }] }).sums.stated).toBeNull()
  })
  test('as stated are compared with the rows in the columns that the totals row fills only', () => {
    const rows = [row(1, { ...read({ building_value: 5, bi_value: 3 }), tiv: 8 }), row(2, { ...read({ building_value: 6 }), tiv: 6 })]
    const sums = (fields: RowFields) => total({ rows, totals: [read(fields)] }).sums
    expect(sums({ building_value: 11 })).toMatchObject({ stated: 11, stated_parts: ['building_value'], stated_rows: 11 })
    expect(sums({ stated_tiv: 20 })).toMatchObject({ stated: 20, stated_parts: [], stated_rows: 14 })
  })
  test('as stated in the file are those of its total column if it has no totals row, compared with the rows that have a total', () => {
    const rows = [
      row(1, { ...read({ contents_value: 3, stated_tiv: 1_003 }), tiv: 3 }),
      row(2, { ...read({ contents_value: 4, stated_tiv: 2_004 }), tiv: 4 }),
      row(3, { ...read({ contents_value: 5 }), tiv: 5 }),
    ]
    const expected = { stated: 3_007, stated_by: 'total_column', stated_parts: [], stated_rows: 7, stated_in: 2 }
    expect(total({ rows }).sums).toMatchObject(expected)
  })
  test('as stated in the file are the larger ones of its totals row without a total and its total column', () => {
    const rows = [row(1, { ...read({ bi_value: 3, stated_tiv: 1_003 }), tiv: 3 })]
    const sums = (bi_value: number) => total({ rows, totals: [read({ bi_value })] }).sums
    expect(sums(3)).toMatchObject({ stated: 1_003, stated_by: 'total_column', stated_parts: [], stated_rows: 3 })
    expect(sums(2_000)).toMatchObject({ stated: 2_000, stated_by: 'totals_row', stated_parts: ['bi_value'], stated_rows: 3 })
  })
})

describe('removals', () => {
  const divested = [
    {
      index: 1,
      rows: 2,
      stillListed: 0,
      alreadyDivested: 0,
      divested: [
        { number: 1, property: MILL, divestedOn: null, exact: true },
        { number: 2, property: BARN, divestedOn: null, exact: false },
      ],
    },
  ]
  test('are proposed for missing properties by a full replacement only', () => {
    expect(total({ mode: 'full_replacement' }).tabs.remove).toBe(2)
    expect(total({ mode: 'update_only' }).tabs.remove).toBe(0)
    expect(total({ mode: 'full_replacement', listed: new Set(['barn']) }).tabs.remove).toBe(1)
  })
  test('of a divested sheet are counted once, and preselected if the match is exact', () => {
    const { tabs, ticked, sums } = total({ mode: 'full_replacement', divested })
    expect([tabs.remove, ticked, sums.after]).toEqual([2, 1, { rows: 1, tiv: 20, currency: 'USD' }])
  })
})

describe('the issues', () => {
  test('are grouped by column and code, errors first, then the most frequent', () => {
    const issue = (code: RowIssue['code'], severity: RowIssue['severity'], column: string | null): RowIssue => ({
      code,
      severity,
      column,
      field: null,
      message: '',
      value: null,
    })
    const rows = [
      row(3, { issues: [issue('unit', 'warning', 'A'), issue('too_long', 'warning', 'B'), issue('unit', 'error', null)] }),
      row(4, { issues: [issue('too_long', 'warning', 'B')] }),
    ]
    const group = { field: null, header: null, count: 1, first_row: 3 }
    expect(total({ rows, headers: new Map([['B', 'Name']]) }).issues).toEqual([
      { ...group, code: 'unit', severity: 'error', column: null },
      { ...group, code: 'too_long', severity: 'warning', column: 'B', header: 'Name', count: 2 },
      { ...group, code: 'unit', severity: 'warning', column: 'A' },
    ])
    const inOneRow = [
      issue('unit', 'warning', 'AA'),
      issue('unit', 'warning', 'B'),
      issue('too_long', 'warning', 'B'),
      issue('unit', 'warning', null),
    ]
    expect(total({ rows: [row(3, { issues: inOneRow })] }).issues.map(({ column, code }) => [column, code])).toEqual([
      [null, 'unit'],
      ['B', 'too_long'],
      ['B', 'unit'],
      ['AA', 'unit'],
    ])
  })
})

test('amounts in several currencies have no currency of their sum', () => {
  const [usd, eur] = [{ building_value: 5 }, { building_value: 7, currency: 'EUR' }].map((fields, at) => row(at, { ...read(fields) }))
  const sums = (...rows: (PlannedRow | undefined)[]) => total({ rows: rows.flatMap((one) => one ?? []), register: [] }).sums
  expect([sums(usd, eur).file.currency, sums(eur).file.currency, sums(usd).after.currency]).toEqual([null, 'EUR', 'USD'])
  const after = (tab: PlannedRow['tab']) => {
    const foreign = row(1, { ...read({ building_value: 7, currency: 'EUR' }), tab })
    return total({ rows: [foreign], register: [MILL] }).sums.after.currency
  }
  expect((['add', 'change', 'errors', 'unchanged'] as const).map(after)).toEqual([null, null, 'USD', 'USD'])
  expect(sums(usd, row(3, read({ currency: 'EUR' }))).file.currency).toBe('USD')
  const others = [1, 2].map((number) => row(number, { ...read({ building_value: 7, currency: 'EUR' }), tab: 'errors' }))
  expect(sums(usd, ...others).before).toEqual({ rows: 0, tiv: 0, currency: 'USD' })
})

test('the sum of rows without any value is not known, that of values of 0 is 0', () => {
  const sumsOf = (...rows: RowFields[]) => total({ rows: rows.map((fields, at) => row(at, read(fields))), register: [] }).sums
  const none = { rows: 2, tiv: null, currency: 'USD' }
  expect([sumsOf({ city: 'Erie' }, {}).file, sumsOf({ city: 'Erie' }, {}).after]).toEqual([none, none])
  expect(sumsOf({ building_value: 0 }, {}).after).toEqual({ ...none, tiv: 0 })
  expect(total({ rows: [row(1, read({}))], register: [MILL] }).sums.after).toEqual({ ...none, tiv: 100 })
})

describe('an open question', () => {
  const NO_ROWS = { rows: [], register: [], listed: new Set<string>(), mode: 'add_only' as const, divested: [] }
  const tallyOf = (rows: RowFields[]) =>
    tallyRows({
      ...NO_ROWS,
      rows: rows.map((fields, at) => row(at, { ...read(fields), origin: fields.currency ? { currency: 'H' } : {} })),
    })
  const column = (target: PlannedColumn['target'], header: string, ...cells: Cell[]): PlannedColumn => ({
    index: 0,
    column: 'C',
    header,
    target,
    style: columnStyle(normalizeHeader(header), cells, SETTINGS),
  })
  const ask = (columns: PlannedColumn[], { constants = {}, titles = [] as string[], rows = [] as RowFields[] } = {}) =>
    openQuestions({ constants, plan: { columns, constants: {} }, titles, tally: tallyOf(rows), issues: [], rows: NO_QUESTIONS })
  const VALUE = column('building_value', 'Building Value')

  test('is the currency, if the file names none and half of its rows are in a country with another one', () => {
    const rowsIn = (...countries: string[]) => {
      const rows = countries.map((country, at) => row(at, read({ country, building_value: 5_000, currency: 'USD' })))
      const tally = tallyRows({ ...NO_ROWS, rows })
      return openQuestions({ constants: {}, plan: { columns: [VALUE], constants: {} }, titles: [], tally, issues: [], rows: NO_QUESTIONS })
    }
    expect(rowsIn('CA', 'US', 'US')).toEqual([])
    expect(rowsIn('CA', 'MX', 'MX')).toMatchObject([{ suggestion: 'MXN' }])
    expect(rowsIn('CA', 'CA', 'US')).toEqual([
      expect.objectContaining({
        constant: 'currency',
        suggestion: 'CAD',
        message: 'The file does not name a currency, and 2 of 3 rows are in Canada. Are the amounts in CAD?',
        options: { CAD: 'Yes, in CAD', USD: 'No, in USD' },
      }),
    ])
  })

  test('is about the unit that a header or a title announces, until it is answered', () => {
    const message = (unit: string, factor: string) => `The values in the file are in ${unit}. Multiply every amount by ${factor}?`
    const thousands = [{ constant: 'factor', suggestion: '1000', message: message('thousands', '1,000') }]
    const millions = [{ constant: 'factor', suggestion: '1000000', message: message('millions', '1,000,000') }]
    expect(ask([VALUE], { titles: ['Values in thousands'] })).toEqual(thousands)
    expect(ask([column('bi_value', 'BI $mm')])).toEqual(millions)
    expect(ask([column('tenants', 'Tenants (000s)')])).toEqual([])
    expect(ask([VALUE], { titles: ['Values in thousands'], constants: { factor: '1' } })).toEqual([])
    const some = [column('building_value', "Building Value ('000)"), column('contents_value', 'Contents (000s)'), column('bi_value', 'BI')]
    expect(ask(some)).toEqual([
      {
        constant: 'factor',
        suggestion: '1000',
        message: "The values in “Building Value ('000)”, “Contents (000s)” are in thousands. Multiply these by 1,000?",
      },
    ])
    expect(ask(some, { titles: ['Values in $000s'] })).toEqual(thousands)
    expect(ask([column('building_value', 'Building ($M)'), column('contents_value', 'Contents ($K)')])).toMatchObject([
      {
        message:
          'The values in “Building ($M)” are in millions, and those in “Contents ($K)” are in thousands. Multiply these by 1,000,000 and 1,000?',
        options: { 1_000_000: 'Yes, as the headers say' },
      },
    ])
  })
  test('is about thousands if the median value per square foot is below 2', () => {
    const rows = (...values: number[]) => values.map((value) => ({ building_value: value, floor_area: 100 }))
    expect(ask([VALUE], { rows: [...rows(100, 1_000, 150), { building_value: 5 }] })).toEqual([
      {
        constant: 'factor',
        suggestion: '1000',
        message: 'Half of the buildings are worth less than 2 per square foot. Are the values in thousands?',
      },
    ])
    expect(ask([VALUE], { rows: rows(1_000, 100, 200) })).toEqual([])
    expect(ask([VALUE])).toEqual([])
  })
  test('is about the currency if the rows have several', () => {
    const rows = [{ building_value: 5 }, { building_value: 7, currency: 'EUR' }, { building_value: 7, currency: 'EUR' }]
    const options = {
      EUR: 'Rows in EUR, and those without one as EUR',
      USD: 'Only rows without one, as USD',
    }
    const message =
      'Some amounts are in EUR (2 rows), and 1 row has no currency or only “$”. Amounts in several currencies cannot be added up. Which rows are imported?'
    expect(ask([], { rows })).toEqual([{ constant: 'currency', suggestion: 'EUR', message, options }])
    expect(ask([], { rows, constants: { currency: 'EUR' } })).toEqual([])
    expect(ask([], { rows: rows.slice(1) })).toEqual([])
    expect(ask([], { rows: rows.slice(0, 2) })[0]?.suggestion).toBe('USD')
    const tally = { ...tallyOf(rows), 'before in USD': 4 }
    expect(
      openQuestions({ constants: {}, plan: { columns: [], constants: {} }, titles: [], tally, issues: [], rows: NO_QUESTIONS })[0]
        ?.suggestion,
    ).toBe('USD')
  })
  test('is about the order of dates if no date shows it', () => {
    const message = 'Dates in column C such as 2/9/2025 can be read in two ways. Does the month or the day come first?'
    const options = { mdy: 'Month first', dmy: 'Day first' }
    expect(ask([VALUE, column('valuation_date', 'As of', '1/1/2025', '2/9/2025')])).toEqual([
      { constant: 'date_order', suggestion: null, message, options },
    ])
    expect(ask([column('valuation_date', 'As of', '3/14/2025'), column('tenants', 'Tenant', '3/4/2025')])).toEqual([])
  })
  test('is about the order of dates in a sheet of sold properties', () => {
    const facts = { dates: [], countries: new Map([['US', 3]]), currencies: new Map(), headers: [] }
    const cells = { facts, divested: { place: 'sheet “Sold”', date: '3/4/2026' } }
    const questions = openQuestions({
      constants: {},
      plan: { columns: [], constants: {} },
      titles: [],
      tally: {},
      issues: [],
      rows: NO_QUESTIONS,
      cells,
    })
    expect(questions.map(({ message }) => message)).toEqual([
      'Dates in sheet “Sold” such as 3/4/2026 can be read in two ways. In the country of the addresses, United States, the month comes first. Do they have the month first, too?',
    ])
  })
  test('is about a total that is the only amount', () => {
    const total = column('stated_tiv', 'TIV')
    expect(ask([column('tenants', 'Tenant'), total])).toEqual([
      {
        constant: 'tiv_column',
        suggestion: 'building_value',
        message: 'Column C, “TIV”, is the only amount that is mapped. Import it as the building value?',
        options: { stated_tiv: 'No, only as the total' },
      },
    ])
    expect(ask([total, VALUE])).toEqual([])
    const rents = column('bi_value', 'Rents')
    const message = 'Column C, “Insurable Value”, is the only amount that is mapped apart from “Rents”. Import it as the building value?'
    expect(ask([column('stated_tiv', 'Insurable Value'), rents])[0]).toMatchObject({ suggestion: 'building_value', message })
    expect(ask([total, rents])).toEqual([])
    expect(ask([total], { constants: { tiv_column: 'stated_tiv' } })).toEqual([])
  })
  test('is about locations that two rows repeat', () => {
    const repeated = {
      code: 'duplicate_in_file',
      field: 'location_number',
      severity: 'error',
      count: 1,
      header: null,
      first_row: 3,
    } as const
    const questions = (over: Partial<IssueGroup> = {}, constants = {}) => {
      const issues = [
        { ...repeated, column: 'A' },
        { ...repeated, column: null, ...over },
      ]
      return openQuestions({
        constants,
        plan: { columns: [], constants: {} },
        titles: [],
        tally: {},
        issues,
        rows: { hidden: 0, tables: [], sheets: [] },
      })
    }
    expect(questions()).toMatchObject([
      {
        constant: 'repeated_locations',
        message: expect.stringMatching(/^2 rows repeat the location and building number/) as string,
        suggestion: 'buildings',
      },
    ])
    for (const over of [{ code: 'unit' }, { field: 'address' }, { severity: 'warning' }] as const)
      expect(questions(over)).toMatchObject([{ message: expect.stringMatching(/^1 row .* Import it as/) as string, suggestion: null }])
    expect(questions({}, { repeated_locations: 'errors' })).toEqual([])
  })
  test('is about the scheme of construction and occupancy codes', () => {
    const message = (scheme: string) => `Column C contains codes that are read as ${scheme} codes. Is that right?`
    const construction = column('construction_class', 'Construction', 111, 119)
    const occupancy = column('property_type', 'Occupancy', 1104, 1101)
    expect(ask([construction, occupancy])).toEqual([
      { constant: 'construction_scheme', suggestion: 'air', message: message('AIR') },
      { constant: 'occupancy_scheme', suggestion: 'oed', message: message('OED') },
    ])
    expect(ask([construction], { constants: { construction_scheme: 'air' } })).toEqual([])
    const clear = [column('construction_class', 'Construction', 1, 6), column('property_type', 'Occupancy', 'RES1', 'COM4')]
    expect(ask([...clear, column('tenants', 'Tenant', 1104)])).toEqual([])
  })
})

test('a sum without amounts is in the currency of the file', () => {
  const { sums } = total({ rows: [row(1, { fields: { building_value: 500, currency: 'CAD' }, tiv: 500 })], register: [] })
  expect([sums.file, sums.before, sums.left_out, sums.after].map(({ currency }) => currency)).toEqual(['CAD', 'CAD', 'CAD', 'CAD'])
})

test('the counts after a change of some rows are those of all rows', () => {
  const tally = (...rows: PlannedRow[]): Tally => tallyRows({ rows, register: [], listed: new Set(), mode: 'add_only', divested: [] })
  const stays = row(1, { ...read({ building_value: 5 }), tiv: 5 })
  const former = row(2, { ...read({ building_value: 7, currency: 'EUR' }), tiv: 7, tab: 'errors' })
  const present = row(2, { ...read({ contents_value: 9 }), tiv: 9 })
  expect(replaceInTally(tally(stays, former), tally(former), tally(present))).toEqual(tally(stays, present))
})
