import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { checkedImport } from './imports.fixture.ts'
import { SheetColumnHead } from './sheet-column-head.tsx'
import type { Patch } from './use-import.ts'

afterEach(resetPage)

test('a column can be mapped to the whole address', async () => {
  const onPatch = vi.fn<(patch: Patch) => void>()
  const [column] = checkedImport().columns
  if (!column) throw new Error('The import has no column')
  const head = <SheetColumnHead column={column} index={0} letterOfField={new Map()} left={0} editable onPatch={onPatch} />
  const { user } = renderWithSession(head, { session: sessionWith([]) })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Field for column A, Loc #' }), 'Whole address in one cell')
  expect(onPatch).toHaveBeenCalledWith({ mapping: { A: 'full_address' } })
})
