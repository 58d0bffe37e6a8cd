import { screen } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, test } from 'vitest'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { SheetTabs } from './sheet-preview.tsx'
import type { ShownFile } from './shown-file.ts'

const rows = [
  { number: 1, cells: ['Name', 'City'] },
  { number: 3, cells: ['Mill'] },
]
const file: ShownFile = {
  key: 'file',
  name: 'statement.csv',
  type: 'text/csv',
  size: 20,
  content: {
    kind: 'stored',
    url: '',
    renew: async () => '',
    readSheet: async () => ({ sheets: [{ name: 'Sheet1', hidden: false }], sheet: 0, rows, hasMoreRows: false, hasMoreColumns: false }),
  },
}

afterEach(resetPage)

test('every heading of the table has a text', async () => {
  renderWithSession(<SheetTabs file={file} />, { session: sessionWith([]) })
  const table = await screen.findByRole('table')
  const { violations } = await axe.run(table, { runOnly: ['empty-table-header', 'td-headers-attr', 'scope-attr-valid'] })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['A', 'B'])
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['1', '3'])
})
