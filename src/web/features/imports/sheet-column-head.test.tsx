import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ImportPatch } from '#contract/import-inputs.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { checkedImport } from './imports.fixture.ts'
import { SheetColumnHead } from './sheet-column-head.tsx'
import { ImportContext } from './use-import.ts'

afterEach(resetPage)

test('a column can be mapped to the whole address', async () => {
  const patch = vi.fn<(patch: ImportPatch) => void>()
  const removals = { isChecked: () => false, setChecked: () => undefined, choice: { all_except: [], also: [] }, count: 0 }
  const head = (
    <ImportContext value={{ data: checkedImport(), editable: true, patch, removals }}>
      <SheetColumnHead index={0} left={0} />
    </ImportContext>
  )
  const { user } = renderWithSession(head, { session: sessionWith([]) })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Field for column A, Loc #' }), 'Whole address in one cell')
  expect(patch).toHaveBeenCalledWith({ mapping: { A: 'full_address' } })
})
