import { afterEach, expect, test, vi } from 'vitest'
import { resetPage } from '#web/testing/render.tsx'
import { confirmDialog } from './confirm.tsx'

vi.mock('./confirm-modal.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

afterEach(resetPage)

test('a question whose dialog cannot be loaded is shown by the browser', async () => {
  const confirm = vi.spyOn(window, 'confirm').mockReturnValueOnce(true).mockReturnValueOnce(false)
  const question = { title: 'Delete Oak?', message: 'It goes to the trash.', confirm: 'Delete' }
  expect(await confirmDialog(question)).toBe(true)
  expect(await confirmDialog({ ...question, message: <b>It goes to the trash.</b> })).toBe(false)
  expect(confirm.mock.calls).toEqual([['Delete Oak?\n\nIt goes to the trash.'], ['Delete Oak?']])
})
