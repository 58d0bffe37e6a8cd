import { expect, test } from 'vitest'
import { COLUMNS, documentGroups } from './document-list.build.ts'

const property = (location_number: string | null, address: string) => ({
  id: address,
  status: 'active',
  location_number,
  building_number: '1',
  property_name: null,
  address,
  address_2: null,
  city: 'Reno',
  state: 'NV',
  postal_code: '89501',
  country: 'US',
})
const file = (original_file_name: string, properties: ReturnType<typeof property>[] = [], more = {}) => ({
  id: original_file_name,
  original_file_name,
  vanity_name: null,
  report_author_date: null,
  created_at: new Date('2026-03-05T02:00:00Z'),
  covers_all_properties: false,
  properties,
  ...more,
})
const [one, two, ten, unnumbered] = [
  property('1', '1 Oak St'),
  property('2', '2 Oak St'),
  property('10', '10 Oak St'),
  property(null, '0 Elm St'),
]
const groups = (...files: ReturnType<typeof file>[]) => documentGroups(files, 'America/Los_Angeles')

test('documents are below the address of their first property, in the order of location numbers, and those of the account at the end', () => {
  const listed = groups(
    file('account.pdf'),
    file('elm.pdf', [unnumbered]),
    file('ten.pdf', [ten]),
    file('both.pdf', [ten, two]),
    file('one.pdf', [one]),
  )
  expect(listed.map(({ heading, rows }) => [heading, rows.map(([name]) => name)])).toEqual([
    ['1 Oak St, Reno, NV 89501', ['one.pdf']],
    ['2 Oak St, Reno, NV 89501', ['both.pdf']],
    ['10 Oak St, Reno, NV 89501', ['ten.pdf']],
    ['0 Elm St, Reno, NV 89501', ['elm.pdf']],
    ['Account Documents', ['account.pdf']],
  ])
})

test('rows are in the order of descriptive names, then of original names', () => {
  const [group] = groups(file('b10.pdf'), file('b9.pdf'), file('z.pdf', [], { vanity_name: 'Appraisal' }))
  expect(group?.rows.map(([name]) => name)).toEqual(['z.pdf', 'b9.pdf', 'b10.pdf'])
})

test('a row has both names, the report date, every address and the date of upload in the time zone of the company', () => {
  const [group] = groups(file('roof.pdf', [two, one, one], { vanity_name: 'Roof', report_author_date: '2025-12-31' }))
  expect(group?.rows).toEqual([['roof.pdf', 'Roof', '12/31/2025', '1 Oak St, Reno, NV 89501\n2 Oak St, Reno, NV 89501', '03/04/2026']])
})

test('the addresses after the tenth are counted', () => {
  const many = Array.from({ length: 12 }, (_, at) => property(String(at + 1), `${at + 1} Oak St`))
  const lines = groups(file('roof.pdf', many))[0]?.rows[0]?.[3]?.split('\n') ?? []
  expect([lines.length, lines[9], lines[10]]).toEqual([11, '10 Oak St, Reno, NV 89501', 'and 2 more'])
})

test('a document of all properties is one of the account', () => {
  const [group] = groups(file('policy.pdf', [one], { covers_all_properties: true }))
  expect([group?.heading, group?.rows[0]?.[3]]).toEqual(['Account Documents', 'All properties'])
})

test('the headers of dates are in one line', () => {
  const bold9Point = 110
  const dates = COLUMNS.filter(({ header }) => header.endsWith('Date'))
  expect(dates.map(({ header, width }) => width >= header.length * bold9Point + 200)).toEqual([true, true])
})

test('location and building numbers that are texts come after those that are numbers, as in the list of properties', () => {
  const numbers = [
    ['1A', '1'],
    ['10', 'B'],
    ['10', '2'],
    ['2', '10'],
    ['2', '2'],
  ] as const
  const buildings = numbers.map(([location, building]) => ({ ...property(location, `${location} ${building}`), building_number: building }))
  const listed = groups(...buildings.map((one) => file('deed.pdf', [one])))
  expect(listed.map(({ heading }) => heading.split(',')[0])).toEqual(['2 2', '2 10', '10 2', '10 B', '1A 1'])
})

test('documents whose names differ only in case have one order', () => {
  const names = (...ids: string[]) =>
    groups(...ids.map((id) => file('Survey', [one], { id, vanity_name: id })))[0]?.rows.map((row) => row[1])
  expect(names('survey', 'SURVEY', 'Survey')).toEqual(names('Survey', 'survey', 'SURVEY'))
})
