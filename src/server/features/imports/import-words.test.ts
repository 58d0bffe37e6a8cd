import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { HEADER, begin, commit, openDesk, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const row = (number: number, construction: string) =>
  `${number},1,Hall ${number},${number}00 Main St,Fresno,CA,93721,${construction},1990,10000,1000000,,,1000000`
const schedule = (...constructions: string[]) => [HEADER, ...constructions.map((text, index) => row(index + 1, text))].join('\n')
const PIERS = schedule('JX', 'Frame', 'jx ', 'Stone', 'QQ', 'JX', 'JM', 'FR', 'Frame')

const wordsOf = (data: Import, letter = 'H') =>
  data.columns.find((column) => column.letter === letter)?.words.map(({ word, rows, code, choice }) => [word, rows, code, choice])
const choose = async (data: Pick<Import, 'id'>, ...words: (readonly [word: string, code: string | null])[]): Promise<Import> => {
  const body = { words: words.map(([word, code]) => ({ field: 'construction_class', word, code })) }
  const answer = await put(desk, data.id, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return settled(desk, data.id)
}
const classes = async () => (await register(desk)).map(({ construction_class }) => construction_class)

describe('the words of a column', () => {
  test('are listed once with their rows and the proposed code, unless they are understood for certain', async () => {
    const data = await begin(desk, PIERS)
    expect(wordsOf(data)).toEqual([
      ['JX', 3, null, null],
      ['QQ', 1, null, null],
      ['Stone', 1, '2', null],
    ])
    expect(wordsOf(data, 'C')).toEqual([])
  })
  test('that name no kind are listed with an offer, which is not imported without a choice', async () => {
    const alarms = ['Alarm', 'Y', 'N', 'y', 'Central', 'Y', 'N', 'N', 'N', 'N']
    const data = await begin(
      desk,
      PIERS.split('\n')
        .map((line, index) => `${line},${alarms[index]}`)
        .join('\n'),
    )
    const { words = [], field } = data.columns.at(-1) ?? {}
    expect([field, words]).toEqual(['fire_alarm', [{ word: 'Y', rows: 3, code: null, suggestion: 'local', choice: null }]])
    await commit(desk, data)
    const stored = (await register(desk)).map(({ fire_alarm }) => fire_alarm)
    expect(stored).toEqual([null, 'none', null, 'central_station', null, 'none', 'none', 'none', 'none'])
  })
  test('take one choice for all cells, which is imported with the text as given', async () => {
    const data = await choose(await begin(desk, PIERS), ['jx', '3'], ['Stone', '2'])
    expect(wordsOf(data)).toEqual([
      ['JX', 3, '3', 'chosen'],
      ['QQ', 1, null, null],
      ['Stone', 1, '2', 'chosen'],
    ])
    expect(data.issues.map(({ code, count }) => `${code} ${count}`)).toEqual(['unknown_code 1'])
    expect((await rowsOf(desk, data.id)).map(({ cells }) => cells[7])).toEqual([
      'Construction',
      'JX',
      'Frame',
      'jx ',
      'Stone',
      'QQ',
      'JX',
      'JM',
      'FR',
      'Frame',
    ])
    await commit(desk, data)
    expect(await classes()).toEqual(['3', '1', '3', '2', null, '3', '2', '6', '1'])
    expect((await register(desk)).map(({ construction_original }) => construction_original)[2]).toBe('jx')
  })
  test('can be left empty in an optional field', async () => {
    const data = await choose(await begin(desk, PIERS), ['JX', ''])
    expect(wordsOf(data)?.[0]).toEqual(['JX', 3, null, 'chosen'])
    expect(data.issues.map(({ code, count }) => `${code} ${count}`).toSorted()).toEqual(['unknown_code 1', 'word_to_confirm 1'])
  })
  test('are read again as before after a choice is undone', async () => {
    const before = await begin(desk, PIERS)
    await choose(before, ['JX', '3'])
    const after = await choose(before, ['JX', null])
    expect(wordsOf(after)).toEqual(wordsOf(before))
    expect(after.issues).toEqual(before.issues)
  })
  test('of states and countries can be chosen although the field is required', async () => {
    const data = await begin(desk, schedule('Frame', 'JM', 'FR', 'NC').replaceAll(/,CA,(?=93721,(?:Frame|JM))/g, ',Kalif,'))
    expect(wordsOf(data, 'F')).toEqual([['Kalif', 2, null, null]])
    await put(desk, data.id, { words: [{ field: 'state', word: 'Kalif', code: 'CA' }] })
    const changed = await settled(desk, data.id)
    expect(changed.counts).toMatchObject({ add: 4, errors: 0 })
    await commit(desk, changed)
    expect((await register(desk)).map(({ state }) => state)).toEqual(['CA', 'CA', 'CA', 'CA'])
  })
  test.each([
    ['construction_class', '9', '“9” is not in the list of Construction (ISO). Choose one from the list.'],
    ['state', '', 'State / province cannot stay empty. Choose one from the list.'],
    ['building_value', '1', '“building_value” is not a field with a list of codes.'],
    ['constructor', '1', '“constructor” is not a field with a list of codes.'],
  ])('of field %s are rejected with the code "%s"', async (field, code, message) => {
    const data = await begin(desk, PIERS)
    const answer = await put(desk, data.id, { words: [{ field, word: 'JX', code }] })
    expect([answer.status, answer.body.errors?.words ?? answer.body]).toEqual([400, [message]])
  })
})

describe('a choice is remembered', () => {
  const other = schedule('QQ', 'JX', 'JX', 'JM', 'FR', 'Frame').replace('Contents', 'Stock')

  test('for the next import of the company, also with other columns', async () => {
    await choose(await begin(desk, PIERS), ['JX', '3'])
    const again = await begin(desk, PIERS)
    expect(wordsOf(again)?.[0]).toEqual(['JX', 3, '3', 'remembered'])
    const account = await makeAccount(desk.app.system, { companyId: (await desk.app.viewer(desk.userId)).companyId, users: [desk.userId] })
    const elsewhere = await begin({ ...desk, accountId: account.id }, other)
    expect(wordsOf(elsewhere)).toEqual([
      ['JX', 2, '3', 'remembered'],
      ['QQ', 1, null, null],
    ])
  })
  test('but not for another company', async () => {
    await choose(await begin(desk, PIERS), ['JX', '3'])
    const stranger = await openDesk(desk.app)
    expect(wordsOf(await begin(stranger, PIERS))?.[0]).toEqual(['JX', 3, null, null])
  })
  test('by columns first, otherwise the last one counts', async () => {
    await choose(await begin(desk, PIERS), ['JX', '3'])
    await choose(await begin(desk, other), ['JX', '5'])
    expect(wordsOf(await begin(desk, PIERS))?.[0]).toEqual(['JX', 3, '3', 'remembered'])
    const third = schedule('JX', 'jx', 'JX').replace('Contents', 'Machinery')
    expect(wordsOf(await begin(desk, third))?.[0]).toEqual(['JX', 3, '5', 'remembered'])
  })
  test('until it is undone', async () => {
    await choose(await begin(desk, PIERS), ['JX', '3'])
    const elsewhere = await begin(desk, other)
    await choose(elsewhere, ['JX', null])
    expect(wordsOf(await settled(desk, elsewhere.id))?.[0]).toEqual(['JX', 2, null, null])
    expect(wordsOf(await begin(desk, PIERS))?.[0]).toEqual(['JX', 3, null, null])
  })
  test('while an import that is open does not change with it', async () => {
    const open = await begin(desk, PIERS)
    await choose(await begin(desk, PIERS), ['JX', '3'])
    await put(desk, open.id, { edits: [{ row: 2, column: 'C', value: 'Hall A' }] })
    expect(wordsOf(await settled(desk, open.id))?.[0]).toEqual(['JX', 3, null, null])
  })
})
