import { expect, test } from 'vitest'
import { begin, put, rowsOf } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

test.each([
  [{ row: 99_999, column: 'F', value: '1' }, 'The file has no row 99,999.'],
  [{ row: 2, column: 'ZZZ', value: '1' }, 'The sheet has no column ZZZ.'],
])('an edit of a cell outside the file is rejected, and nothing is changed: %j', async (edit, message) => {
  const data = await begin(
    desk,
    'Loc #,Address,City,State,Zip,Building\n1,1 Elm Rd,Fresno,CA,93721,100000\n2,2 Elm Rd,Fresno,CA,93721,200000\n',
  )
  const { status, body } = await put(desk, data.id, { edits: [{ row: 2, column: 'F', value: '3' }, edit] })
  expect([status, body.errors]).toEqual([400, { edits: [message] }])
  expect((await rowsOf(desk, data.id)).filter(({ edited }) => Object.keys(edited).length > 0)).toEqual([])
})
