import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { partsOf } from './answer-labels.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'

let server: FakeServer
let current: Import
beforeEach(() => {
  // Only the visible part of the sheet is rendered, and jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800)
  current = checkedImport()
  server = fakeServer()
    .on(importCalls.show, () => ({ data: current }))
    .on(importCalls.rows, () => onePage([1, 2, 3, 4].map((row) => changedRow({ row, hidden: row > 2 }))))
    .on(importCalls.update, () => ({ data: current }))
})
afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

const show = () =>
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']), path: '/' })

const hidden = {
  constant: 'hidden_rows',
  suggestion: 'include',
  message: '2 rows are hidden in the file. Import them, too?',
  options: { exclude: 'No, leave them out' },
}
const section = (number: number) => screen.findByRole('region', { name: `Question ${number}` })

test('a schedule whose columns have no values is announced before the commit', async () => {
  show()
  expect(await screen.findByText(/^No column has insured values/)).toBeTruthy()
})

test('a schedule with a column of values is not announced as one without', async () => {
  const [first, ...columns] = checkedImport().columns
  current = checkedImport({ columns: first ? [{ ...first, field: 'building_value' }, ...columns] : [] })
  show()
  await screen.findByRole('button', { name: 'Add 1, change 1, leave out 1, and confirm 1 column' })
  expect(screen.queryByText(/^No column has insured values/)).toBeNull()
})

describe('a question of an import', () => {
  test('without a suggestion has its answers side by side, none of them highlighted', async () => {
    const message = 'Dates in column C such as 3/4/2025 can be read in two ways. Does the month or the day come first?'
    const dates = { constant: 'date_order', suggestion: null, message, options: { mdy: 'Month first', dmy: 'Day first' } }
    current = checkedImport({ questions: [dates] })
    const { user } = show()
    const question = await section(1)
    const answers = ['Month first', 'Day first'].map((name) => within(question).getByRole('button', { name }))
    expect(answers.map((answer) => answer.dataset)).toEqual(
      answers.map(() => expect.not.objectContaining({ suggested: expect.anything() as unknown })),
    )
    expect(within(question).queryByRole('button', { name: /^(Yes|No)/ })).toBeNull()
    await user.click(within(question).getByRole('button', { name: 'Day first' }))
    await waitFor(() => expect(server.bodies(importCalls.update)).toMatchObject([{ answers: { date_order: 'dmy' } }]))
  })
  test('is below its facts, and each of its buttons says what it does', async () => {
    const message = 'The file does not name a currency, and 4 of 4 rows are in Switzerland. Are the amounts in CHF?'
    const currency = { constant: 'currency', suggestion: 'CHF', message, options: { CHF: 'Yes, in CHF', USD: 'No, in USD' } }
    current = checkedImport({ questions: [hidden, currency] })
    const { user } = show()
    const [first, second] = [await section(1), await section(2)]
    expect(within(first).getByRole('heading').textContent).toBe('Import them, too?')
    expect(within(first).getByText('2 rows are hidden in the file.')).toBeTruthy()
    const labels = (one: HTMLElement) =>
      within(one)
        .getAllByRole('button')
        .map(({ textContent }) => textContent)
    expect(labels(first)).toEqual(['Show rows', 'Yes, import', 'No, leave them out'])
    expect(labels(second)).toEqual(['Show rows', 'Yes, in CHF', 'No, in USD'])
    await user.click(within(second).getByRole('button', { name: 'Yes, in CHF' }))
    expect(server.bodies(importCalls.update)).toEqual([{ answers: { currency: 'CHF' } }])
  })

  test('shows the rows that it is about one after the other', async () => {
    current = checkedImport({ questions: [hidden] })
    const { user } = show()
    const link = within(await section(1)).getByRole('button', { name: 'Show rows' })
    const selected = () => document.querySelector('[role="rowheader"][data-selected]')?.textContent
    await user.click(link)
    await waitFor(() => expect(selected()).toBe('3'))
    await user.click(link)
    await waitFor(() => expect(selected()).toBe('4'))
  })

  test('shows the column that it names', async () => {
    const message = 'Column B contains codes that are read as OED codes. Is that right?'
    current = checkedImport({ questions: [{ constant: 'construction_scheme', suggestion: 'oed', message }] })
    show()
    const one = within(await section(1))
    expect(one.getByRole('button', { name: 'Show column' })).toBeTruthy()
    expect(one.getByRole('button', { name: 'Yes, OED codes' })).toBeTruthy()
  })

  test('can be opened again after each of its answers', async () => {
    current = checkedImport({ constants: { marked_rows: 'import' } })
    const { user } = show()
    const text = 'Change the answer: rows that are sold, closed, not insured or no single location are imported'
    await user.click(await screen.findByRole('button', { name: text }))
    expect(server.bodies(importCalls.update)).toEqual([{ answers: { marked_rows: null } }])
  })

  test('about a total that is the building value returns with the mapping of the total', async () => {
    const [first, second] = checkedImport().columns
    const columns = first && second ? [first, { ...second, field: 'building_value' }] : []
    current = checkedImport({ columns, constants: { tiv_column: 'building_value' } })
    const { user } = show()
    await user.click(await screen.findByRole('button', { name: 'Change the answer: the total is the building value' }))
    expect(server.bodies(importCalls.update)).toEqual([{ answers: { tiv_column: null }, mapping: { B: 'stated_tiv' } }])
  })

  test('is not cut within the quoted name of a column or a number', () => {
    expect(partsOf('Column F, “Bldg. Value”, contains numbers such as 12.000. Read them as 12,000? Both are possible.')).toEqual({
      facts: 'Column F, “Bldg. Value”, contains numbers such as 12.000.',
      question: 'Read them as 12,000?',
      remarks: 'Both are possible.',
    })
    expect(partsOf('Import “St. Louis”, too?').question).toBe('Import “St. Louis”, too?')
  })
})
