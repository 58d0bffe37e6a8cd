import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { checkedImport } from './imports.fixture.ts'
import { SheetColumnHead } from './sheet-column-head.tsx'

afterEach(resetPage)

test('a column may hold the whole address, which is then taken apart', async () => {
  const onMap = vi.fn<(letter: string, target: string | null) => void>()
  const [column] = checkedImport().columns
  if (!column) throw new Error('The import has no column')
  const head = <SheetColumnHead column={column} index={0} taken={new Map()} left={0} editable onMap={onMap} />
  const { user } = renderWithSession(head, { session: sessionWith([]) })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Field for column A, Loc #' }), 'Whole address in one cell')
  expect(onMap).toHaveBeenCalledWith('A', 'full_address')
})
