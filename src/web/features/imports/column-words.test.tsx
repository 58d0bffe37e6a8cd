import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ColumnWord } from '#contract/import-words.ts'
import { importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'

const OPEN: ColumnWord = { word: 'JX', rows: 3, code: null, choice: null }
const PROPOSED: ColumnWord = { word: 'Stone', rows: 1, code: '2', choice: null }
const CHOSEN: ColumnWord = { word: 'Blocks', rows: 2, code: '4', choice: 'chosen' }
const REMEMBERED: ColumnWord = { word: 'QQ', rows: 1, code: null, choice: 'remembered' }

let server: FakeServer
let current: Import
const withWords = (words: ColumnWord[]): Import => {
  const data = checkedImport()
  return { ...data, columns: data.columns.map((column) => (column.letter === 'B' ? { ...column, words } : column)) }
}

beforeEach(() => {
  current = withWords([OPEN, CHOSEN, PROPOSED, REMEMBERED])
  const rows = [1, 2, 3, 4].map((row) => changedRow({ row, cells: [String(row), row === 2 ? 'blocks' : 'JX'] }))
  server = fakeServer()
    .on(importCalls.show, () => ({ data: current }))
    .on(importCalls.rows, () => onePage(rows))
    .on(importCalls.update, () => ({ data: current }))
})
afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

async function openWords() {
  const { user } = renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
  const words = await screen.findByRole('region', { name: 'Words' })
  return { user, words: within(words) }
}
const sent = (): unknown[] => server.bodies(importCalls.update)
const choiceOf = (word: string, code: string | null) => ({ field: 'construction_class', word, code })

test('the words of a column open with its issue, each with its rows and what it is read as', async () => {
  const { user, words } = await openWords()
  expect(words.getByRole('button', { name: /Column B, Const 2 to choose, 1 chosen, 1 remembered/ })).toBeTruthy()
  expect(words.queryByRole('combobox')).toBeNull()
  await user.click(screen.getByRole('button', { name: /not understood.*Column B, Const/ }))
  const selects = words.getAllByRole<HTMLSelectElement>('combobox')
  expect(selects.map((select) => `${select.ariaLabel}: ${select.selectedOptions[0]?.text}`)).toEqual([
    'Meaning of “JX”: Choose a meaning',
    'Meaning of “Blocks”: 4 Masonry non-combustible',
    'Meaning of “Stone”: 2 Joisted masonry?',
    'Meaning of “QQ”: Leave empty',
  ])
  expect(words.getAllByRole('listitem').map(({ textContent }) => /\d rows?(, remembered|, to confirm)?/.exec(textContent)?.[0])).toEqual([
    '3 rows',
    '2 rows',
    '1 row, to confirm',
    '1 row, remembered',
  ])
})

test('one choice, confirmation or undo is sent for all cells with the word', async () => {
  const { user, words } = await openWords()
  await user.click(words.getByRole('button', { name: /Column B/ }))
  await user.selectOptions(words.getByRole('combobox', { name: 'Meaning of “JX”' }), '6 Fire resistive')
  await user.selectOptions(words.getByRole('combobox', { name: 'Meaning of “JX”' }), 'Leave empty')
  await user.click(words.getByRole('button', { name: 'Confirm “Stone”' }))
  await user.click(words.getByRole('button', { name: 'Undo the choice for “QQ”' }))
  await waitFor(() =>
    expect(sent()).toEqual([
      { words: [choiceOf('JX', '6')] },
      { words: [choiceOf('JX', '')] },
      { words: [choiceOf('Stone', '2')] },
      { words: [choiceOf('QQ', null)] },
    ]),
  )
})

test('all proposed codes are confirmed at once', async () => {
  current = withWords([PROPOSED, { ...PROPOSED, word: 'Brick', code: '2' }, OPEN])
  const { user, words } = await openWords()
  await user.click(words.getByRole('button', { name: /Column B/ }))
  await user.click(words.getByRole('button', { name: 'Confirm all 2 proposals' }))
  await waitFor(() => expect(sent()).toEqual([{ words: [choiceOf('Stone', '2'), choiceOf('Brick', '2')] }]))
})

test('a code that is only offered is confirmed like a proposal', async () => {
  current = withWords([
    { ...PROPOSED, code: null, suggestion: '2' },
    { ...OPEN, suggestion: '6' },
  ])
  const { user, words } = await openWords()
  await user.click(words.getByRole('button', { name: /Column B/ }))
  expect(words.getByRole<HTMLSelectElement>('combobox', { name: 'Meaning of “Stone”' }).selectedOptions[0]?.text).toBe('2 Joisted masonry?')
  await user.click(words.getByRole('button', { name: 'Confirm “JX”' }))
  await waitFor(() => expect(sent()).toEqual([{ words: [choiceOf('JX', '6')] }]))
})

test('the decision about repeated locations can be changed', async () => {
  current = checkedImport({ constants: { repeated_locations: 'first', factor: '1' } })
  const { user } = renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
  const panel = await screen.findByRole('complementary', { name: 'Settings and issues' })
  await user.click(within(panel).getByText('Settings'))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Repeated locations' }), 'Errors to correct')
  await waitFor(() => expect(sent()).toEqual([{ answers: { repeated_locations: 'errors' } }]))
})

test('a required field cannot be left empty', async () => {
  const data = withWords([{ word: 'Kalif', rows: 2, code: null, choice: null }])
  current = { ...data, columns: data.columns.map((column) => ({ ...column, field: column.letter === 'B' ? 'state' : column.field })) }
  const { user, words } = await openWords()
  await user.click(words.getByRole('button', { name: /Column B/ }))
  expect(words.getByRole('option', { name: 'California' })).toBeTruthy()
  expect(words.queryByRole('option', { name: 'Leave empty' })).toBeNull()
})

test('a cell with a choice shows the text of the file and what it means', async () => {
  // Only the visible part of the grid is rendered, and jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800)
  await openWords()
  const cell = await screen.findByRole('gridcell', { name: 'blocks → 4 Masonry non-combustible' })
  expect(cell).toBeTruthy()
})

test('a list that is shorter than the words of the column says how many rows have further ones', async () => {
  const [issue] = current.issues
  current = { ...current, issues: issue ? [{ ...issue, count: 1_204 }] : [] }
  const { user, words } = await openWords()
  await user.click(words.getByRole('button', { name: /Column B, Const/ }))
  expect(words.getByText(/further words/).textContent).toBe('1,200 rows have further words, which are listed when these are chosen.')
})

test('a complete list of words mentions no further ones', async () => {
  const [issue] = current.issues
  current = { ...current, issues: issue ? [{ ...issue, count: 4 }] : [] }
  const { user, words } = await openWords()
  await user.click(words.getByRole('button', { name: /Column B, Const/ }))
  expect(words.queryByText(/further words/)).toBeNull()
})
