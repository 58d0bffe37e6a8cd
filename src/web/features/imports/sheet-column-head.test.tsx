import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { Import } from '#contract/imports.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { checkedImport } from './imports.fixture.ts'
import { SheetColumnHead } from './sheet-column-head.tsx'
import { ImportContext } from './use-import.ts'

afterEach(resetPage)

async function openHead(data: Import) {
  const patch = vi.fn<(patch: ImportPatch) => void>()
  const removals = {
    isChecked: () => false,
    setChecked: () => undefined,
    forget: () => undefined,
    choice: { all_except: [], also: [] },
    count: 0,
    staying: { rows: 0, tiv: 0 },
  }
  const head = (
    <ImportContext value={{ data, editable: true, isSaving: false, patch, removals }}>
      <SheetColumnHead index={0} left={0} reading="file" width={120} />
    </ImportContext>
  )
  const { user } = renderWithSession(head, { session: sessionWith([]) })
  return { user, patch, field: await screen.findByRole('combobox', { name: /Field for column A/ }) }
}

test.each([
  ['Whole address in one cell', 'full_address'],
  ['City, state and ZIP in one cell', 'city_state_zip'],
  ['Location and building in one cell', 'location_building'],
])('a column can be mapped to “%s”', async (label, target) => {
  const { user, patch, field } = await openHead(checkedImport())
  await user.selectOptions(field, label)
  expect(patch).toHaveBeenCalledWith({ mapping: { A: target } })
})

test('a column that is split shows the parts of its values', async () => {
  const [column, ...others] = checkedImport().columns
  if (!column) throw new Error('The import has no column')
  await openHead(checkedImport({ columns: [{ ...column, field: 'city_state_zip', split: ['Fresno | CA | 93721'] }, ...others] }))
  expect(screen.getByRole('columnheader').title).toContain('Split into: Fresno | CA | 93721')
})
