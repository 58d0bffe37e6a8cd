import { expect, test } from 'vitest'
import { begin } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

test.each([
  ['Units (K/M)', ['M', 'K', 'k']],
  ['Values in', ['Millions', "$000's", 'thousands']],
  ['Scale', ['in millions', '000s', 'in thousands']],
])('a column “%s” says in which unit the amounts of each row are', async (header, units) => {
  const amounts = ['12.5,1.1', '850,90', '640,75']
  const lines = units.map((unit, at) => `${at + 1},${at + 1} Main St,Reno,NV,89501,${amounts[at]},5000,${unit}`)
  const data = await begin(desk, [`Loc,Address,City,State,Zip,Building,Contents,Sq Ft,${header}`, ...lines].join('\n'))
  expect([data.questions, data.sums?.file.tiv]).toEqual([[], 15_255_000])
})
