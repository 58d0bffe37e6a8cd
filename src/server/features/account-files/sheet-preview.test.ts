import { expect, it } from 'vitest'
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_SHEETS } from '#contract/limits.ts'
import { SHEET_PREVIEW_CELL_CHARACTERS, SHEET_PREVIEW_COLUMNS, SHEET_PREVIEW_ROWS } from '#contract/reading-limits.ts'
import { workbookParts, zip } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { isSchedule } from '#server/features/imports/recognize-schedule.commands.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'

const { app, broker, ctx } = await testBroker()
const { id: accountId } = await makeAccount(app.system, { companyId: broker.companyId })

async function preview(bytes: Buffer, { sheet = 0, version = 1, name = 'Values.csv' } = {}) {
  const { id } = await makeFile(ctx, accountId, { name, contentType: 'text/csv', bytes })
  return app.as(broker.id).get(`/api/v1/accounts/${accountId}/files/${id}/versions/${version}/sheet?sheet=${sheet}`)
}

it('the first rows, columns and characters of a table are shown, and what is cut is said', async () => {
  const wide = Array.from({ length: SHEET_PREVIEW_COLUMNS + 1 }, (_, column) => `c${column}`).join(',')
  const lines = Array.from({ length: SHEET_PREVIEW_ROWS + 5 }, (_, row) => `${row},${'x'.repeat(SHEET_PREVIEW_CELL_CHARACTERS + 9)}`)
  const { data } = (await preview(Buffer.from([wide, ...lines].join('\n')))).body
  expect([data.rows.length, data.hasMoreRows, data.hasMoreColumns]).toEqual([SHEET_PREVIEW_ROWS, true, true])
  expect(data.rows[0].cells).toHaveLength(SHEET_PREVIEW_COLUMNS)
  expect(data.rows[1].cells[1]).toHaveLength(SHEET_PREVIEW_CELL_CHARACTERS + 1)
})

it('a short table is shown completely', async () => {
  const { data } = (await preview(Buffer.from('Location,Value\n1,200\n'))).body
  expect(data).toMatchObject({ hasMoreRows: false, hasMoreColumns: false, sheet: 0 })
  expect(data.rows).toEqual([
    { number: 1, cells: ['Location', 'Value'] },
    { number: 2, cells: ['1', '200'] },
  ])
})

const row = (text: string) => `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData>`

it('the sheets of a workbook are named, and one of them is shown', async () => {
  const bytes = await zip(workbookParts({ sheets: [row('Schedule'), row('Notes')], sheetAttributes: ['', 'state="hidden"'] }))
  const { data } = (await preview(bytes, { name: 'Values.xlsx', sheet: 1 })).body
  expect(data.sheets).toEqual([
    { name: 'Sheet1', hidden: false },
    { name: 'Sheet2', hidden: true },
  ])
  expect([data.sheet, data.rows]).toEqual([1, [{ number: 1, cells: ['Notes'] }]])
})

const cell = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
const LAST_COLUMN = 'XFD'

it.each([
  [
    'a workbook',
    'Wide.xlsx',
    () =>
      zip(workbookParts({ sheets: [`<sheetData><row r="1">${cell('A1', 'First')}${cell(`${LAST_COLUMN}1`, 'Last')}</row></sheetData>`] })),
  ],
  ['delimited text', 'Wide.csv', async () => Buffer.from(`First${','.repeat(IMPORT_MAX_COLUMNS)}Last\n`)],
])('the first columns of %s are shown also if it has more than an import reads', async (_kind, name, bytes) => {
  const { status, body } = await preview(await bytes(), { name })
  expect([status, body.message]).toEqual([200, ''])
  expect(body.data).toMatchObject({ rows: [{ number: 1, cells: ['First'] }], hasMoreRows: false, hasMoreColumns: true })
})

it('a sheet whose only value is in its last column has more columns than are shown', async () => {
  const only = `<sheetData><row r="1048576">${cell(`${LAST_COLUMN}1048576`, 'Last')}</row></sheetData>`
  const { data } = (await preview(await zip(workbookParts({ sheets: [only] })), { name: 'Far.xlsx' })).body
  expect(data).toMatchObject({ rows: [{ number: 1_048_576, cells: [] }], hasMoreColumns: true })
})

it('every sheet is named and shown also if there are more than an import reads', async () => {
  const sheets = Array.from({ length: IMPORT_MAX_SHEETS + 1 }, (_, at) => row(`Sheet ${at}`))
  const { data } = (await preview(await zip(workbookParts({ sheets })), { name: 'Many.xlsx', sheet: IMPORT_MAX_SHEETS })).body
  expect([data.sheets.length, data.rows]).toEqual([IMPORT_MAX_SHEETS + 1, [{ number: 1, cells: [`Sheet ${IMPORT_MAX_SHEETS}`] }]])
})

it('a formula without a stored result is computed, unless it needs a column that is not read', async () => {
  const sums = `<row r="2"><c r="A2"><f>SUM(A1:B1)</f></c><c r="B2"><f>SUM(A1:${LAST_COLUMN}1)</f></c><c r="C2"><v>5</v></c></row>`
  const values = `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="${LAST_COLUMN}1"><v>4</v></c></row>`
  const { data } = (await preview(await zip(workbookParts({ sheets: [`<sheetData>${values}${sums}</sheetData>`] })), { name: 'Sums.xlsx' }))
    .body
  expect(data.rows.map(({ cells }: { cells: string[] }) => cells)).toEqual([
    ['1', '2'],
    ['3', '', '5'],
  ])
})

it('a workbook that becomes unusually large is not unpacked', async () => {
  const bomb = workbookParts({ sheets: [`<sheetData>${' '.repeat(30_000_000)}</sheetData>`] })
  const answer = await preview(await zip(bomb), { name: 'Values.xlsx' })
  expect([answer.status, answer.body.message]).toEqual([413, expect.stringContaining('unusually large')])
})

it.each([
  ['a damaged workbook', Buffer.from('PK\x03\x04 damaged'), 400],
  ['a picture under the name of a table', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 415],
  ['a program-like text of zero bytes', Buffer.alloc(500), 415],
])('%s is rejected with a reason', async (_name, bytes, status) => {
  const answer = await preview(bytes, { name: 'Values.xlsx' })
  expect([answer.status, answer.body.message.length > 20]).toEqual([status, true])
})

it('a sheet and a version that do not exist are not found', async () => {
  const text = Buffer.from('a,b\n1,2\n')
  expect((await preview(text, { sheet: 3 })).status).toBe(404)
  expect((await preview(Buffer.from('a,b\n1,3\n'), { version: 2 })).status).toBe(404)
})

it('a table is shown and a schedule recognized while imports are read', async () => {
  const finished = Promise.withResolvers<void>()
  const running = Array.from({ length: ctx.importLimit.concurrency }, () => ctx.importLimit(() => finished.promise))
  const { body, status } = await preview(Buffer.from('Address,City,Building Value,Year Built\n1 Main St,Austin,200,1990\n'))
  const { id } = await makeFile(ctx, accountId, {
    name: 'a.csv',
    contentType: 'text/csv',
    bytes: Buffer.from('Address,City,Building Value,Year Built\n'),
  })
  const { storage_key: key, size } = await ctx.db
    .selectFrom('account_files')
    .select(['storage_key', 'size'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const recognized = await isSchedule(ctx, key ?? '', Number(size))
  finished.resolve()
  await Promise.all(running)
  expect([status, body.data?.rows.length, recognized]).toEqual([200, 2, true])
})
