import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { DropArea } from './drop-area.tsx'

afterEach(resetPage)

// As Chromium has them: plain objects, because the constructors of entries are not global.
const fileEntry = (path: string) => ({
  isFile: true,
  isDirectory: false,
  fullPath: path,
  file: (done: (file: File) => void) => done(new File(['text'], path.split('/').at(-1) ?? '')),
})
const unreadableEntry = {
  ...fileEntry('/gone.pdf'),
  file: (_: unknown, fail: (error: Error) => void) => fail(new DOMException('Not found')),
}
const folderEntry = (path: string, children: object[]) => ({
  isFile: false,
  isDirectory: true,
  fullPath: path,
  createReader: () => {
    const batches = [children.slice(0, 1), children.slice(1), []]
    return { readEntries: (done: (entries: object[]) => void) => done(batches.shift() ?? []) }
  },
})

function dropInto(entries: object[]) {
  const onFiles = vi.fn<(files: File[]) => void>()
  renderWithSession(<DropArea label="Drop here" hint="Any size" button="Choose files" folderButton="Choose a folder" onFiles={onFiles} />, {
    session: sessionWith([]),
  })
  const dataTransfer = { types: ['Files'], files: [], items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) }
  return { onFiles, drop: async () => void fireEvent.drop(await screen.findByText('Drop here'), { dataTransfer }) }
}

test('dropped files and folders are added, without hidden files', async () => {
  const folder = folderEntry('/Docs', [fileEntry('/Docs/.DS_Store'), fileEntry('/Docs/survey.pdf'), fileEntry('/Docs/~$letter.docx')])
  const { onFiles, drop } = dropInto([fileEntry('/roof.pdf'), folder])
  await drop()
  await waitFor(() => expect(onFiles).toHaveBeenCalledOnce())
  expect(onFiles.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['roof.pdf', 'survey.pdf'])
})

test('a dropped file that cannot be read is reported', async () => {
  const { onFiles, drop } = dropInto([fileEntry('/roof.pdf'), unreadableEntry])
  await drop()
  expect(await screen.findByText(/could not be read, so none were added/)).toBeDefined()
  expect(onFiles).not.toHaveBeenCalled()
})

test('a folder can be chosen without a mouse', async () => {
  const { onFiles } = dropInto([])
  const input = await screen.findByLabelText('Choose a folder', { selector: 'input' })
  expect(input.hasAttribute('webkitdirectory')).toBe(true)
  fireEvent.change(input, { target: { files: [new File(['a'], 'survey.pdf'), new File(['b'], '.DS_Store')] } })
  expect(onFiles.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['survey.pdf'])
})
