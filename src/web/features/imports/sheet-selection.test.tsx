import { screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { importCalls } from '#contract/import-calls.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { changedRow, checkedImport } from './imports.fixture.ts'
import { moveSelection, useSelectIssue, type SheetSelection } from './sheet-selection.ts'

let server: FakeServer | undefined
afterEach(resetPage)

const issue = {
  row: 0,
  column: 'B',
  header: 'Const',
  field: 'construction_class',
  code: 'unknown_code',
  severity: 'error',
  message: '',
  value: 'JM',
  suggestion: null,
} as const
const group = {
  code: 'unknown_code',
  severity: 'error',
  column: 'B',
  header: 'Const',
  field: 'construction_class',
  count: 2,
  first_row: 2,
} as const

function Screen() {
  const [selected, setSelected] = useState<SheetSelection | null>(null)
  const selectIssue = useSelectIssue(checkedImport(), setSelected)
  return (
    <button type="button" onClick={() => void selectIssue(group)}>
      {selected === null ? 'nothing selected' : `row ${selected.row + 1}, column ${selected.column ?? 'none'}`}
    </button>
  )
}

test('each click on an issue selects the next cell with it, and the first one after the last', async () => {
  const rows = [1, 2, 3, 4].map((row) => changedRow({ row, issues: row === 2 || row === 4 ? [{ ...issue, row }] : [] }))
  server = fakeServer().on(importCalls.rows, () => onePage(rows))
  const { user } = renderWithSession(<Screen />, { session: sessionWith([]) })
  const button = await screen.findByRole('button', { name: 'nothing selected' })
  for (const name of ['row 2, column 1', 'row 4, column 1', 'row 2, column 1']) {
    await user.click(button)
    await screen.findByRole('button', { name })
  }
  expect(server.requests.filter((request) => request.includes('/rows'))).toHaveLength(1)
})

test('keys move the selection within the sheet; to the left of the first cell is the row itself', () => {
  expect(moveSelection({ row: 0, column: 0 }, 'ArrowUp', 10, 5)).toEqual({ row: 0, column: 0 })
  expect(moveSelection({ row: 9, column: 4 }, 'ArrowRight', 10, 5)).toEqual({ row: 9, column: 4 })
  expect(moveSelection({ row: 3, column: 0 }, 'ArrowLeft', 10, 5)).toEqual({ row: 3, column: null })
  expect(moveSelection({ row: 3, column: null }, 'ArrowRight', 10, 5)).toEqual({ row: 3, column: 0 })
  expect(moveSelection({ row: 3, column: 2 }, 'PageDown', 10, 5)).toEqual({ row: 9, column: 2 })
  expect(moveSelection({ row: 3, column: 2 }, 'a', 10, 5)).toBeNull()
})
