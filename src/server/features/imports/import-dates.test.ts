import { expect, test } from 'vitest'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER = 'Loc-Bldg,Location Name,Street Address,City,ST,Zip,Sq Ft,Sprinklered,Fire Alarm,Flood Zone,Building Value'
/** As a spreadsheet program writes 1-1, 1-2 and 2-1, with words that deny what they name. */
const SCHEDULE = [
  HEADER,
  '2026-01-01,Hall,100 Main St,Fresno,CA,93721,24.500,N - dry,Not monitored,X,1000000',
  '2026-01-02,Barn,100 Main St,Fresno,CA,93721,8.500,Wet - 40%,Central station,AE,200000',
  '2026-02-01,Depot,200 Main St,Fresno,CA,93721,24.250,Wet,Not monitored,x,3000000',
].join('\n')

test('dates for numbers and unclear dots are a question each, which block the commit, and words are listed once each', async () => {
  const data = await begin(desk, SCHEDULE)
  expect(data.questions.map(({ constant, suggestion }) => [constant, suggestion])).toEqual([
    ['number_dates', 'month_day'],
    ['dots', 'thousands'],
  ])
  expect(data.questions.map(({ message, options }) => [message, options])).toEqual([
    [
      'Column A, “Loc-Bldg”, contains dates such as 2026-01-02, probably numbers such as 1-2 that a spreadsheet program changed. Read them as 1-2, by month and day?',
      { month_day: 'Yes, as 1-2', day_month: 'As 2-1, by day and month', text: 'No, as the dates in the file' },
    ],
    ['Column G, “Sq Ft”, contains numbers such as 24.500. Read them as 24,500?', { thousands: 'Yes, as 24,500', decimals: 'No, as 24.5' }],
  ])
  expect((await commit(desk, data)).status).toBe(409)
  const words = (header: string) =>
    data.columns.find((column) => column.header === header)?.words.map(({ word, rows, code }) => [word, rows, code])
  expect(words('Fire Alarm')).toEqual([['Not monitored', 2, null]])
  expect(words('Sprinklered')).toEqual([
    ['N - dry', 1, 'none'],
    ['Wet - 40%', 1, 'partial'],
  ])
})

test('the answers are what is imported', async () => {
  const { id } = await begin(desk, SCHEDULE)
  await put(desk, id, { constants: { number_dates: 'month_day', dots: 'thousands' } })
  const answered = await settled(desk, id)
  expect([answered.questions, answered.columns[0]?.split]).toEqual([[], ['1 | 1', '1 | 2', '2 | 1']])
  await commit(desk, answered)
  const properties = (await register(desk)).toSorted((a, b) => String(a.property_name).localeCompare(String(b.property_name)))
  expect(
    properties.map((property) => [
      property.property_name,
      `${property.location_number}-${property.building_number}`,
      property.floor_area,
      property.sprinklered,
      property.fire_alarm,
      property.flood_zone,
    ]),
  ).toEqual([
    ['Barn', '1-2', 8500, 'partial', 'central_station', 'AE'],
    ['Depot', '2-1', 24_250, 'full', null, 'X'],
    ['Hall', '1-1', 24_500, 'none', null, 'X'],
  ])
})
