import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { importCalls } from '#contract/imports.ts'
import { fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { useState } from 'react'
import { changedRow, checkedImport, onePage } from './imports.fixture.ts'
import type { Chosen } from './sheet-selection.ts'
import { useJump } from './use-jump.ts'

let server: FakeServer
afterEach(() => {
  server.close()
  resetPage()
})

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
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const jump = useJump(checkedImport(), setChosen)
  return (
    <button type="button" onClick={() => void jump(group)}>
      {chosen === null ? 'nowhere' : `row ${chosen.row + 1}, column ${chosen.column ?? 'none'}`}
    </button>
  )
}

test('each click leads to the next cell with the issue, and after the last to the first', async () => {
  const rows = [1, 2, 3, 4].map((row) => changedRow({ row, issues: row === 2 || row === 4 ? [{ ...issue, row }] : [] }))
  server = fakeServer().on(importCalls.rows, () => onePage(rows))
  const { user } = renderWithSession(<Screen />, { session: sessionWith([]) })
  const button = await screen.findByRole('button', { name: 'nowhere' })
  for (const place of ['row 2, column 1', 'row 4, column 1', 'row 2, column 1']) {
    await user.click(button)
    await screen.findByRole('button', { name: place })
  }
  expect(server.requests.filter((request) => request.includes('/rows'))).toHaveLength(1)
})
