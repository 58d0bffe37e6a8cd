import { describe, expect, test } from 'vitest'
import { registerRow, validatedRow } from '#server/features/imports/imports.fixture.ts'
import type { Match } from '#server/features/imports/pipeline/match/match-rows.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import type { ValidatedRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { leaveOut, planRows, type PlanOptions } from './plan-rows.ts'
import { settleNumbers } from './settle-numbers.ts'

const [property, row] = [registerRow, validatedRow]
const matched = (to: RegisterRow): Match => ({ kind: 'matched', property: to, rule: 'number' })

async function plan(rows: ValidatedRow[], matches: Match[], register: RegisterRow[] = [], over: Partial<PlanOptions> = {}) {
  const options: PlanOptions = { mode: 'full_replacement', emptyClears: false, rowLabel: (number) => `row ${number}`, ...over }
  const byNumber = new Map(rows.map(({ number }, at): [number, Match] => [number, matches[at] ?? { kind: 'new' }]))
  const planned = await planRows(rows, byNumber, options, async () => {})
  settleNumbers(planned, register, { ...options, divested: [] })
  return planned
}
const tabs = async (...parameters: Parameters<typeof plan>) => (await plan(...parameters)).map(({ tab }) => tab)
const errors = async (...parameters: Parameters<typeof plan>) =>
  (await plan(...parameters)).map(({ issues }) => issues.map(({ message }) => message).join())

const MILL = property('mill', {
  location_number: '1',
  building_number: '1',
  property_name: 'Mill',
  address: '1 Main St',
  building_value: 100,
})
const BARN = property('barn', { location_number: '2', building_number: '1', property_name: 'Barn', building_value: 100 })
const failing = { column: 'A', field: null, code: 'required_missing', severity: 'error', message: '', value: null } as const

describe('the tab of a row', () => {
  test('is add for a new property, which update only excludes, with or without errors', async () => {
    const rows = () => [row(1, {}), row(2, {}, { issues: [failing] })]
    expect(await tabs(rows(), [])).toEqual(['add', 'errors'])
    expect(await tabs(rows(), [], [], { mode: 'update_only' })).toEqual(['excluded', 'excluded'])
  })
  test('is add for a row that was not matched', async () => {
    const options = { mode: 'full_replacement', emptyClears: false, rowLabel: String } as const
    const [planned] = await planRows([row(1, { building_value: 5, contents_value: 6 })], new Map(), options, async () => {})
    expect(planned).toMatchObject({ tab: 'add', rule: null, candidates: [], tiv: 11 })
  })
  test('is excluded for a row that repeats another location', () =>
    expect(leaveOut(row(1, { building_value: 5, contents_value: 6 }))).toMatchObject({ tab: 'excluded', candidates: [], tiv: 11 }))
  test('is change only if a value changes, and never if rows are only added', async () => {
    const rows = () => [row(1, { building_value: 100 }), row(2, { building_value: 101 })]
    const matches = [matched(MILL), matched(BARN)]
    expect(await tabs(rows(), matches)).toEqual(['unchanged', 'change'])
    expect(await tabs(rows(), matches, [], { mode: 'add_only' })).toEqual(['unchanged', 'unchanged'])
  })
  test('is change for a divested property that the user matched, which becomes active again', async () => {
    const divested = property('sold', { building_value: 100 }, { status: 'divested' })
    const [planned] = await plan([row(1, { building_value: 100 }, { matchedByHand: true })], [matched(divested)])
    expect(planned).toMatchObject({ tab: 'change', rule: 'by_hand', property: { id: 'sold' }, changes: {} })
  })
  test('is conflict, with the properties to choose from, if the user must decide', async () => {
    const sold = property('sold', { address: '9 Elm Rd' }, { status: 'divested' })
    const planned = await plan(
      [row(1, { property_name: 'Silo', address: '2 Main St' }), row(2, {}), row(3, {}), row(4, {})],
      [
        { kind: 'conflict', property: MILL, others: [] },
        { kind: 'ambiguous', candidates: [MILL, BARN] },
        { kind: 'inactive', property: sold, rule: 'number' },
        { kind: 'moved', property: BARN },
      ],
    )
    expect(planned.map(({ tab, candidates }) => [tab, candidates.map(({ id }) => id).join()])).toEqual([
      ['conflict', 'mill'],
      ['conflict', 'mill,barn'],
      ['conflict', 'sold'],
      ['conflict', 'barn'],
    ])
    expect(planned.flatMap(({ issues }) => issues)).toEqual(
      [
        [
          'conflict_match',
          'Choose that property or make this a new one: the number belongs to 1, Mill, 1 Main St in the register, whose address and name differ.',
        ],
        ['ambiguous_match', '2 properties of the register match. Choose one or make this a new one.'],
        ['divested_match', 'Marked divested. Bring it back or make this a new property: 9 Elm Rd.'],
        [
          'conflict_match',
          'Choose that property or make this a new one: in this city the register also has 2, Barn, whose address differs.',
        ],
      ].map(([code, message]) => ({ column: null, field: null, code, severity: 'warning', message, value: null })),
    )
  })
  test('is add, with a warning, if the only match is in the trash', async () => {
    const deleted = property('deleted', { property_name: 'Shed' }, { trashed: true })
    const [planned] = await plan([row(1, {})], [{ kind: 'inactive', property: deleted, rule: 'number' }])
    expect(planned).toMatchObject({ tab: 'add', candidates: [] })
    expect(planned?.issues[0]?.message).toBe('Shed is in the trash. Restore it instead if it is the same property.')
  })
})

describe('a building value', () => {
  test('that rises by more than 25 % or drops by more than 15 % is a warning in its column', async () => {
    const rows = [126, 125, 85, 84].map((value, at) => row(at, { building_value: value }, { origin: { building_value: 'F' } }))
    const planned = await plan(
      rows,
      rows.map((_, at) => matched(property(String(at), { building_value: 100 }))),
    )
    expect(planned.map(({ issues }) => issues.length)).toEqual([1, 0, 0, 1])
    const issue = { column: 'F', field: 'building_value', code: 'large_change', severity: 'warning', value: '126' }
    expect(planned[0]?.issues[0]).toMatchObject(issue)
    expect(planned[0]?.issues[0]?.message).toContain('rises by 26 % from 100 in the register')
    expect(planned[3]?.issues[0]?.message).toContain('drops by 16 % from 100')
  })
  test('of nothing before is no warning', async () => {
    const empty = property('empty', { building_value: 0 })
    for (const before of [empty, property('none', { building_value: null })])
      expect((await plan([row(1, { building_value: 5 })], [matched(before)]))[0]?.issues).toEqual([])
    const cleared = row(1, {}, { empty: ['building_value'] })
    expect((await plan([cleared], [matched(MILL)], [], { emptyClears: true }))[0]).toMatchObject({ tab: 'change', issues: [] })
  })
})

describe('two rows', () => {
  test('cannot be matched to one property', async () => {
    const rows = () => [row(4, { building_value: 1 }), row(5, { building_value: 2 }), row(6, {}, { issues: [failing] })]
    const matches = [matched(BARN), matched(BARN), matched(BARN)]
    const planned = await plan(rows(), matches)
    expect(planned.map(({ tab }) => tab)).toEqual(['change', 'errors', 'errors'])
    expect(planned[1]?.issues.at(-1)).toEqual({
      column: null,
      field: null,
      code: 'duplicate_in_file',
      severity: 'error',
      message: '2, Barn is already matched to row 4. Choose another property for one of them.',
      value: null,
    })
    expect(planned[2]?.issues).toHaveLength(1)
  })
  test('cannot have the same location and building number', async () => {
    const rows = [
      row(1, { location_number: '9' }),
      row(2, { location_number: '9', building_number: '2' }),
      row(3, { location_number: '9' }),
    ]
    expect(await errors(rows, [])).toEqual(['', '', 'Location 9, building 1 is already used by row 1. Give this row another number.'])
  })
})

describe('a location number', () => {
  test('of an active property that does not change cannot be given to a new one', async () => {
    const again = row(1, { location_number: '1', building_value: 100 })
    const added = row(2, { location_number: '1' })
    const message = 'Location 1, building 1 is already used by 1, Mill, 1 Main St. Give this row another number.'
    expect(await errors([again, added], [matched(MILL)], [MILL])).toEqual(['', message])
    const [unlisted] = await errors([row(2, { location_number: '1' })], [], [MILL], { mode: 'add_and_update' })
    expect(unlisted).toContain('Give this row another number, or choose the mode “Full replacement”')
    expect(await errors([row(2, { location_number: '1', building_number: '2' })], [], [MILL])).toEqual([''])
  })
  test('of a divested or deleted property can be used again', async () => {
    const others = [property('a', MILL.values, { status: 'divested' }), property('b', MILL.values, { trashed: true })]
    expect(await tabs([row(2, { location_number: '1' })], [], others)).toEqual(['add'])
  })
  test('that the row does not give is the one of its property', async () => {
    const second = property('second', { location_number: '1', building_number: '2' })
    const rows = [row(1, { building_value: 5 }), row(2, { location_number: '1', building_number: '2' })]
    expect(await tabs(rows, [matched(second)], [second])).toEqual(['change', 'errors'])
    const renumbered = [row(1, { location_number: '3' }), row(2, { location_number: '3', building_number: '2' })]
    expect(await tabs(renumbered, [matched(second)], [second])).toEqual(['change', 'errors'])
  })
  test('is not needed', async () => expect(await tabs([row(1, {}), row(2, {})], [], [property('a', {})])).toEqual(['add', 'add']))
})
