import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ImportRow } from '#contract/import-rows.ts'
import { importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'

let server: FakeServer
let current: Import

beforeEach(() => {
  current = checkedImport()
  server = fakeServer()
    .on(importCalls.show, () => ({ data: current }))
    .on(importCalls.rows, ({ query }) => onePage(query['tab'] === 'change' ? [changedRow()] : []))
})
afterEach(resetPage)

const show = (path = '/') =>
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, {
    session: sessionWith(['bulk_upload_account_properties']),
    path,
  })

test('the commit bar shows the sums of the file as an equation and the register after the import', async () => {
  show()
  expect((await screen.findByRole('button', { name: 'Add 1, change 1, leave out 1, and confirm 1 column' })).hasAttribute('disabled')).toBe(
    false,
  )
  expect(screen.getByText('Will be imported').parentElement?.textContent).toBe('Will be imported$3003 locations')
  expect(screen.getByText('Register afterwards: 2 properties, $200')).toBeTruthy()
})

test('the commit bar names the rows that stay out with their value', async () => {
  const sums = { ...checkedImport().sums, left_out: { rows: 1, tiv: 100, currency: 'USD' } } as Import['sums']
  current = checkedImport({ sums })
  show()
  const note = await screen.findByText('1 row will not be imported')
  const sum = note.closest('div')
  expect(sum?.textContent).toContain('Stays out$100')
  expect(sum?.dataset['out']).toBe('true')
  expect(screen.getByText('Will be imported').parentElement?.textContent).toBe('Will be imported$2002 locations')
})

const unread = (count: number, field = 'building_value') =>
  ({ code: 'not_a_number', severity: 'warning', column: 'G', header: 'Building', field, count, first_row: 2 }) as const

test('the commit bar counts the amounts that could not be read', async () => {
  const sums = { ...checkedImport().sums, left_out: { rows: 0, tiv: 0, currency: 'USD' } } as Import['sums']
  current = checkedImport({ sums, issues: [unread(16), unread(1, 'contents_value'), unread(3, 'stories')] })
  show()
  const note = await screen.findByText('17 amounts could not be read')
  expect([note.closest('div')?.textContent, note.closest('div')?.dataset['out']]).toEqual([
    'Stays out$0 17 amounts could not be read',
    'true',
  ])
  expect(screen.queryByText('In the file')).toBeNull()
})

test('the result of an import counts the amounts that could not be read', async () => {
  current = checkedImport({ state: 'committed', issues: [unread(1)] })
  show()
  expect(await screen.findByText('1 amount could not be read, so these values are missing.')).toBeTruthy()
})

test('a mode that leaves out rows without errors does not claim that all of them are imported', async () => {
  current = checkedImport({ mode: 'update_only' })
  show()
  expect(await screen.findByText('Can be imported')).toBeTruthy()
  expect(screen.queryByText('Will be imported')).toBeNull()
})

test('a column of money without a mapping has its own currency, and no total if an amount is not known', async () => {
  current = checkedImport({
    unmapped_money: [
      { letter: 'P', header: 'Building (CAD)', total: 4_500_000, currency: 'CAD' },
      { letter: 'Q', header: 'Fine Art', total: null, currency: null },
    ],
  })
  show()
  expect(await screen.findByText('CA$4,500,000 in total')).toBeTruthy()
  expect(screen.getByText('not all of which can be added up')).toBeTruthy()
})

test('a column of values per area says so, not that its amounts cannot be read', async () => {
  current = checkedImport({ unmapped_money: [{ letter: 'P', header: 'RCV $/SF', total: null, currency: null, per_area: true }] })
  show()
  expect(await screen.findByText('Column P, “RCV $/SF”, has values per area')).toBeTruthy()
  expect(screen.queryByText(/cannot be read/)).toBeNull()
})

test('a column of money without a mapping is announced with its total', async () => {
  current = checkedImport({ unmapped_money: [{ letter: 'P', header: 'Stock', total: 4_500_000, currency: null }] })
  show()
  expect(await screen.findByText('Column P, “Stock”, is not mapped')).toBeTruthy()
  expect(screen.getByText('$4,500,000 in total').closest('p')?.textContent).toBe('Its amounts, $4,500,000 in total, will not be imported.')
})

test('amounts in several currencies are not added up, and what is imported is in one currency', async () => {
  const { sums } = checkedImport()
  const several = { rows: 3, tiv: 300, currency: null }
  const after = { rows: 1, tiv: 100, currency: 'CAD' }
  current = checkedImport({
    sums: sums && { ...sums, file: several, left_out: { ...several, rows: 2, tiv: 200 }, after },
    unmapped_money: [{ letter: 'P', header: 'Stock', total: 4_500_000, currency: null }],
  })
  show()
  expect((await screen.findByText('in several currencies')).closest('p')?.textContent).toBe(
    'Its amounts, in several currencies, will not be imported.',
  )
  expect(screen.getByText('Will be imported').parentElement?.textContent).toBe('Will be importedCA$1001 location')
  expect(screen.queryByText('Totals row of the file')).toBeNull()
})

test('the ledger names the fields that a totals row states', async () => {
  const { sums } = checkedImport()
  current = checkedImport({ sums: sums && { ...sums, stated: 250, stated_parts: ['building_value'], stated_rows: 250 } })
  show()
  const label = await screen.findByText('Totals row of the file: Building value only')
  expect(label.parentElement?.textContent).toContain('$250 Agrees with the rows')
})

test('an import that is being checked shows how far it is instead of a verdict', async () => {
  current = checkedImport({
    state: 'mapped',
    activity: 'validating',
    progress: { done: 2, total: 200 },
    issues: [],
    counts: {},
  })
  show()
  expect(await screen.findByText('The rows are being checked: 1 %.')).toBeTruthy()
  expect(screen.queryByText('No issues found.')).toBeNull()
  expect(screen.getByRole('tab', { name: 'Errors' })).toBeTruthy()
  expect(screen.queryByText('Nothing to import')).toBeNull()
})

test('an import that is not checked yet shows no verdict', async () => {
  current = checkedImport({ state: 'parsed', activity: null, issues: [] })
  show()
  expect(await screen.findByText('The rows have not been checked yet.')).toBeTruthy()
  expect(screen.queryByText('No issues found.')).toBeNull()
})

test('an import with an open question has no verdict, because the answer changes how the rows are read', async () => {
  current = checkedImport({
    issues: [],
    questions: [{ constant: 'factor', suggestion: '1000', message: 'Multiply every amount by 1,000?' }],
  })
  show()
  expect(await screen.findByText('Multiply every amount by 1,000?')).toBeTruthy()
  expect(screen.queryByText('No issues found.')).toBeNull()
})

test('the verdict of a checked import without issues is that none were found', async () => {
  const { sums } = checkedImport()
  current = checkedImport({ issues: [], sums: sums && { ...sums, stated: null } })
  show()
  expect(await screen.findByText('No issues found.')).toBeTruthy()
})

test('the preview shows old and new values and a different total in the file', async () => {
  show('/?view=preview&tab=change')
  const row = (await screen.findByText('Warehouse 7')).closest('tr')
  expect(row?.textContent).toContain('$18,000,000 $19,260,000')
  expect(screen.getByRole('columnheader', { name: 'Building value' })).toBeTruthy()
  expect(screen.getByText('$10 more than the rows')).toBeTruthy()
})

test('the commit is disabled while the rows are being checked', async () => {
  current = checkedImport({ activity: 'validating', progress: { done: 2, total: 4 } })
  show()
  expect((await screen.findByRole('button', { name: 'Add 1, change 1, leave out 1, and confirm 1 column' })).hasAttribute('disabled')).toBe(
    true,
  )
  expect(screen.getByText('Checking the rows: 2 of 4 rows, 50 %')).toBeTruthy()
})

test('the commit is disabled until every question is answered, and the bar says so', async () => {
  const question = { constant: 'factor', suggestion: '1000', message: 'Are the values in thousands?' }
  current = checkedImport({ questions: [question] })
  server.on(importCalls.update, () => ({ data: checkedImport({ version: 8 }) }))
  const { user } = show()
  const button = await screen.findByRole('button', { name: 'Add 1, change 1, leave out 1, and confirm 1 column' })
  expect(button.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText('Are the values in thousands?')).toBeTruthy()
  expect(screen.getByText(/^Waits for/).textContent).toBe('Waits for 1 answer')
  await user.click(screen.getByRole('button', { name: 'Yes, × 1,000' }))
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
})

test('a dialog says that nothing was written when the register has changed', async () => {
  server.on(importCalls.commit, () => errorAnswer('conflict', 'Two properties were changed since the preview.', {}, { moved: [] }))
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Add 1, change 1, leave out 1, and confirm 1 column' }))
  const dialog = await screen.findByRole('dialog', { name: 'The register has changed' })
  expect(within(dialog).getByText('Two properties were changed since the preview.')).toBeTruthy()
  expect(within(dialog).getByText(/Nothing has been written/)).toBeTruthy()
  expect(server.bodies(importCalls.commit)).toEqual([{ version: 7, removals: { all_except: [], also: [] }, confirmed: ['B'] }])
})

test('one click confirms all proposed columns', async () => {
  server.on(importCalls.update, () => ({ data: checkedImport({ version: 8 }) }))
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Confirm all proposals' }))
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ mapping: { B: 'construction_class' } }]))
})

test('a full replacement marks only the checked properties divested', async () => {
  current = checkedImport({ mode: 'full_replacement', counts: { ...current.counts, remove: 2 }, ticked: 2 })
  const [removed, unchecked] = ['0198c0de-0000-7000-8000-000000000011', '0198c0de-0000-7000-8000-000000000012']
  const rowOf = (id: string, name: string) =>
    changedRow({ row: 0, property: { id, name, full_address: '' }, changes: [], ticked: true, tiv: 150 })
  server
    .on(importCalls.rows, ({ query }) =>
      onePage(query['tab'] === 'remove' ? [rowOf(removed ?? '', 'Sold'), rowOf(unchecked ?? '', 'Owned')] : []),
    )
    .on(importCalls.commit, () => ({ data: checkedImport({ state: 'committed', committed_at: '2026-11-20T11:00:00Z' }) }))
  const { user } = show('/?view=preview&tab=remove')
  expect(await screen.findByText('Register afterwards: 2 properties, $200')).toBeTruthy()
  await user.click(await screen.findByRole('checkbox', { name: 'Mark divested: Owned' }))
  expect(screen.getByText('Register afterwards: 3 properties, $350')).toBeTruthy()
  cleanup()
  show('/?view=preview&tab=remove')
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Mark divested: Owned' })).checked).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Add 1, change 1, mark 1 divested, leave out 1, and confirm 1 column' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Add 1, change 1, mark/ }))
  await waitFor(() =>
    expect(server.bodies(importCalls.commit)).toEqual([{ version: 7, removals: { all_except: [unchecked], also: [] }, confirmed: ['B'] }]),
  )
})

test('a commit that marks properties divested names their number and value in a dialog first', async () => {
  const removed = { rows: 598, tiv: 693_710_000, currency: 'USD' }
  const sums = { ...checkedImport().sums, removed } as Import['sums']
  current = checkedImport({ mode: 'full_replacement', counts: { ...current.counts, remove: 598 }, ticked: 598, sums })
  const { user } = show()
  expect(await screen.findByText('Leaves the register: 598 properties, $693,710,000')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Add 1, change 1, mark 598 divested/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Mark 598 properties divested?' })
  expect(within(dialog).getByText('598 properties, $693,710,000')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(server.bodies(importCalls.commit)).toEqual([])
})

test('one checkbox marks all proposed properties divested or none, also those on other pages', async () => {
  current = checkedImport({ mode: 'full_replacement', counts: { ...current.counts, remove: 201 }, ticked: 201 })
  const rows = Array.from({ length: 201 }, (_, index) => {
    const id = `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`
    return changedRow({ row: 0, property: { id, name: `P${index}`, full_address: '' }, changes: [], ticked: true, tiv: 1 })
  })
  server
    .on(importCalls.rows, ({ query }) => {
      const [page, size] = [Number(query['page']), Number(query['paginate'])]
      return onePage(query['tab'] === 'remove' ? rows.slice((page - 1) * size, page * size) : [])
    })
    .on(importCalls.commit, () => ({ data: checkedImport({ state: 'committed', committed_at: '2026-11-20T11:00:00Z' }) }))
  const { user } = show('/?view=preview&tab=remove')
  await user.click(await screen.findByRole('checkbox', { name: 'Mark divested: all 201 properties' }))
  expect(await screen.findByText('Register afterwards: 203 properties, $401')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Mark divested: P0' }))
  await user.click(screen.getByRole('button', { name: 'Add 1, change 1, mark 1 divested, leave out 1, and confirm 1 column' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Add 1, change 1, mark/ }))
  const others = rows.slice(1).map(({ property }) => property?.id)
  await waitFor(() => expect(server.bodies(importCalls.commit)).toMatchObject([{ removals: { all_except: others, also: [] } }]))
})

test('the amounts of a change are in the currency of its row', async () => {
  const changes = [
    { field: 'currency', before: 'USD', after: 'CAD' },
    { field: 'building_value', before: 90, after: 120 },
  ]
  server.on(importCalls.rows, () => onePage([changedRow({ currency: 'CAD', tiv: 300, changes })]))
  show('/?view=preview&tab=change')
  expect((await screen.findByText('CA$120')).tagName).toBe('INS')
  expect(screen.getByText('$90').tagName).toBe('DEL')
  expect(screen.getByText('CA$300')).toBeTruthy()
})

test('a failed import shows the reason and offers to choose another file', async () => {
  current = checkedImport({
    state: 'failed',
    failure: 'This workbook is password-protected. Save it without a password and choose it again.',
  })
  show()
  expect(await screen.findByText(/password-protected/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Choose another file' })).toBeTruthy()
})

test('sheets with the same columns can be added and removed, and remarks on sheets are shown', async () => {
  const sheet = { rows: 4, hidden: false, joinable: true, note: null }
  current = checkedImport({
    sheets: [
      { ...sheet, index: 0, name: 'California', taken: true },
      { ...sheet, index: 1, name: 'Texas', taken: true },
      { ...sheet, index: 2, name: 'Copy', taken: false, note: 'It lists the same locations as “SOV”.' },
      { ...sheet, index: 3, name: 'Auto', taken: false, joinable: false },
    ],
  })
  server.on(importCalls.update, () => ({ data: current }))
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Settings' }))
  expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Sheet' })).selectedOptions[0]?.text).toBe('2 sheets together')
  expect(screen.getByText('Sheet “Copy” is left out: It lists the same locations as “SOV”.')).toBeTruthy()
  expect(screen.queryByRole('checkbox', { name: /^Auto/ })).toBeNull()
  await user.click(screen.getByRole('checkbox', { name: /^Texas/ }))
  await user.click(screen.getByRole('checkbox', { name: /^Copy/ }))
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ sheets: [0] }, { sheets: [0, 1, 2] }]))
})

test('a sold sheet proposes removals, and unchecked ones are included once they are checked', async () => {
  const sold = { index: 2, name: 'Sold', used: true, rows: 3, found: 2, still_listed: 1 }
  current = checkedImport({ counts: { ...current.counts, remove: 2 }, ticked: 1, sold_sheets: [sold] })
  const [gone, likely] = ['0198c0de-0000-7000-8000-000000000011', '0198c0de-0000-7000-8000-000000000012']
  const rowOf = (id: string, name: string, ticked: boolean) =>
    changedRow({ row: 9, property: { id, name, full_address: '' }, changes: [], reason: 'Row 4 of “Sold”, sold on 2025-06-30', ticked })
  server
    .on(importCalls.rows, () => onePage([rowOf(gone ?? '', 'Gone', true), rowOf(likely ?? '', 'Likely', false)]))
    .on(importCalls.commit, () => ({ data: checkedImport({ state: 'committed', committed_at: '2026-11-20T11:00:00Z' }) }))
    .on(importCalls.update, () => ({ data: current }))
  const { user } = show('/?view=preview&tab=remove')
  expect(await screen.findByText('2 of 3 rows found in the register. 1 more still on the schedule, so not proposed.')).toBeTruthy()
  const waiting = (await screen.findByText('Likely')).closest('tr')
  expect(waiting?.textContent).toContain('sold on 2025-06-30')
  expect(screen.getByRole('button', { name: 'Add 1, change 1, mark 1 divested, leave out 1, and confirm 1 column' })).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Mark divested: Likely' }))
  await user.click(screen.getByRole('button', { name: 'Add 1, change 1, mark 2 divested, leave out 1, and confirm 1 column' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Add 1, change 1, mark/ }))
  await waitFor(() =>
    expect(server.bodies(importCalls.commit)).toEqual([{ version: 7, removals: { all_except: [], also: [likely] }, confirmed: ['B'] }]),
  )
})

test('a sold sheet can be switched off', async () => {
  current = checkedImport({ sold_sheets: [{ index: 2, name: 'Sold', used: true, rows: 3, found: 2, still_listed: 0 }] })
  server.on(importCalls.update, () => ({ data: current }))
  const { user } = show()
  await user.click(await screen.findByRole('switch', { name: /^Use sheet “Sold” to propose divested properties/ }))
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ sold_sheets: [] }]))
})

test('decisions about rows can be undone', async () => {
  const row = (change: Partial<ImportRow>) => changedRow({ changes: [], property: null, ...change })
  server
    .on(importCalls.update, () => ({ data: current }))
    .on(importCalls.rows, () =>
      onePage([
        row({ row: 2, cells: ['Matched'], matched_by_hand: true }),
        row({ row: 3, cells: ['Left out'], choice: 'excluded', excluded: true }),
        row({ row: 4, cells: ['Taken in'], choice: 'included' }),
        row({ row: 5, cells: ['New'], excluded: true, reason: 'New, and the mode only updates' }),
      ]),
    )
  const { user } = show('/?view=preview&tab=excluded')
  await user.click(await screen.findByRole('button', { name: 'Match automatically again' }))
  await user.click(screen.getByRole('button', { name: 'Include row again' }))
  await user.click(screen.getByRole('button', { name: 'Exclude row again' }))
  await waitFor(() =>
    expect(server.bodies(importCalls.update)).toEqual([
      { matches: [{ row: 2, automatic: true }] },
      { exclusions: [{ row: 3, automatic: true }] },
      { exclusions: [{ row: 4, automatic: true }] },
    ]),
  )
  expect(screen.queryByRole('button', { name: 'Include row' })).toBeNull()
})

test('a file without a header shows what to do, and each missing field is a separate issue', async () => {
  const missing = { code: 'required_missing', severity: 'error', column: null, header: null, count: 3, first_row: 1 } as const
  current = checkedImport({
    header_row: null,
    issues: [
      { ...missing, field: 'city' },
      { ...missing, field: 'state' },
    ],
  })
  show()
  expect(await screen.findByText(/No header row was found/)).toBeTruthy()
  expect(screen.getByRole('button', { name: /Required value missing.*City/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: /Required value missing.*State/ })).toBeTruthy()
})

test('a sheet with the locations in columns shows its note only', async () => {
  const note = 'This sheet lists the locations in columns.'
  current = checkedImport({ header_row: null, sheets: current.sheets.map((sheet) => ({ ...sheet, note })) })
  show()
  expect(await screen.findByText(`Sheet “SOV”: ${note}`)).toBeTruthy()
  expect(screen.queryByText(/No header row was found/)).toBeNull()
})

test('the tabs account for all rows: blank rows, which have no tab, are counted next to them', async () => {
  current = checkedImport({ total: 13, counts: { ...current.counts, remove: 4 } })
  show()
  expect(await screen.findByText('10 blank rows')).toBeTruthy()
})
