import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fileCheckCalls, type FileCheck, type FileState } from '#contract/file-check.ts'
import { CHECKSUMS_PER_CHECK_MAX } from '#contract/limits.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import type { HashedFile } from './hash-file.ts'
import { hashInWorker, UnreadableFile } from './hash-in-worker.ts'

vi.mock('./hash-in-worker.ts', async (load) => ({ ...(await load<object>()), hashInWorker: vi.fn<typeof hashInWorker>() }))

const DAY = '2026-03-04T05:06:07.000Z'
let server: FakeServer
let states: Record<string, Partial<FileCheck>>

const sum = (letter: string) => letter.repeat(64)
const known = (state: FileState, made_at: string | null = null) => ({ state, made_at })
const archiveOf = (...members: [path: string, letter: string][]): HashedFile => ({
  checksum: `zip:${sum('a')}`,
  members: members.map(([path, letter]) => ({ path, checksum: sum(letter) })),
})

beforeEach(() => {
  states = {}
  server = fakeServer().on(fileCheckCalls.check, ({ body }) => ({
    data: body.checksums.map((checksum) => ({ checksum, ...known('unknown'), ...states[checksum] })),
  }))
})
afterEach(resetPage)

async function choose(hashed: HashedFile | Error, whole: HashedFile = { checksum: sum('f'), members: [] }, ...names: string[]) {
  vi.mocked(hashInWorker).mockImplementation(async (request) => {
    if (hashed instanceof Error) throw hashed
    return request.whole ? whole : hashed
  })
  const app = renderApp('/check')
  const files = [...names, ...(names.length === 0 ? ['deed.pdf'] : [])].map((name) => new File(['deed'], name))
  await app.user.upload(await screen.findByLabelText('Choose files', { selector: 'input' }), files)
  return app
}
const result = (name = 'deed.pdf') => within(screen.getByRole('listitem', { name }))

describe('the page for checking files', () => {
  test.each([
    ['current', 'Unchanged and current', /delivered exactly this document, and nothing newer has replaced it\. It was uploaded/],
    ['superseded', 'Unchanged, but superseded', /Since then it was replaced or withdrawn/],
    ['unknown', 'Unknown', /has not issued exactly this file/],
  ] as const)('says of a document that it is %s, and sends its checksum only', async (state, title, meaning) => {
    states[sum('a')] = known(state)
    await choose({ checksum: sum('a'), members: [] })
    await waitFor(() => expect(result().getByRole('status').textContent).toContain(title))
    expect(result().getByText(meaning)).toBeDefined()
    expect(server.bodies(fileCheckCalls.check)).toEqual([{ checksums: [sum('a')] }])
  })

  test('opens for signed-in users, too', async () => {
    renderApp('/check', sessionWith([]))
    expect(await screen.findByRole('heading', { name: 'Check a file' })).toBeDefined()
  })

  test('says when an archive was made, and that its files are unchanged', async () => {
    Object.assign(states, { [`zip:${sum('a')}`]: known('current', DAY), [sum('b')]: known('current') })
    await choose(archiveOf(['deed.txt', 'b'], ['secret.txt', 'c']))
    await waitFor(() => expect(result().getByText('Unchanged and current')).toBeDefined())
    expect(result().getByText(/^Made on Mar \d, 2026, .* All 2 files in it are unchanged\.$/)).toBeDefined()
    expect(result().getByText('1 unchanged; this page does not say whether current')).toBeDefined()
    expect(result().getByText('secret.txt')).toBeDefined()
  })

  test('says of a current archive that it is current, also with a document that is superseded alone', async () => {
    Object.assign(states, {
      [`zip:${sum('a')}`]: known('current', DAY),
      [sum('b')]: known('superseded'),
      [sum('c')]: known('current', DAY),
    })
    await choose(archiveOf(['deed.txt', 'b'], ['Manifest.json', 'c']))
    await waitFor(() => expect(result().getByText('Unchanged and current')).toBeDefined())
    expect(result().getByText(/issued exactly this file, and nothing newer has replaced it\.$/)).toBeDefined()
    expect(result().queryByText(/replaced or withdrawn since/)).toBeNull()
    expect(result().queryByText('deed.txt')).toBeNull()
  })

  test('names the replaced document of a superseded archive', async () => {
    Object.assign(states, {
      [`zip:${sum('a')}`]: known('superseded', DAY),
      [sum('b')]: known('superseded'),
      [sum('c')]: known('superseded', DAY),
    })
    await choose(archiveOf(['deed.txt', 'b'], ['Manifest.json', 'c']))
    await waitFor(() => expect(result().getByText('Unchanged, but superseded')).toBeDefined())
    expect(result().getByText('1 replaced or withdrawn since')).toBeDefined()
    expect(result().getByText('deed.txt')).toBeDefined()
  })

  test('does not list the index of a superseded archive as a replaced document', async () => {
    Object.assign(states, {
      [`zip:${sum('a')}`]: known('superseded', DAY),
      [sum('b')]: known('current'),
      [sum('c')]: known('superseded', DAY),
    })
    await choose(archiveOf(['deed.txt', 'b'], ['Manifest.json', 'c']))
    await waitFor(() => expect(result().getByText('Unchanged, but superseded')).toBeDefined())
    expect(result().queryByText('Manifest.json')).toBeNull()
  })

  test('names the changed file of an archive that is not known', async () => {
    states[sum('b')] = known('current')
    await choose(archiveOf(['deed.txt', 'b'], ['roof.txt', 'c']))
    await waitFor(() => expect(result().getByText('Unknown')).toBeDefined())
    expect(result().getByText(/^It is not an archive that was issued\. Files in it that are not listed/)).toBeDefined()
    expect(result().getByText('1 changed, added or private')).toBeDefined()
    expect(result().getByText('roof.txt')).toBeDefined()
    expect(result().queryByText('deed.txt')).toBeNull()
  })

  test('says of an archive whose files were all issued, but not in it, that it was packed again', async () => {
    states[sum('b')] = known('current')
    await choose(archiveOf(['other name.txt', 'b']))
    await waitFor(() => expect(result().getByText('Unknown')).toBeDefined())
    expect(result().getByText(/it was packed again, or names in it were changed/)).toBeDefined()
  })

  test.each([
    ['Archive.ZIP', true],
    ['Deed.pdf', false],
  ])('says of %s, which is not known, that its files can be dropped instead: %s', async (name, said) => {
    await choose({ checksum: sum('f'), members: [] }, undefined, name)
    await waitFor(() => expect(result(name).getByText('Unknown')).toBeDefined())
    expect(result(name).getByRole('status').textContent?.includes('If it was packed again, unpack it and drop its files here.')).toBe(said)
  })

  test('finds an archive that was uploaded and issued as a document', async () => {
    states[sum('e')] = known('current')
    await choose(archiveOf(['deed.txt', 'b']), { checksum: sum('e'), members: [] })
    await waitFor(() => expect(result().getByText('Unchanged and current')).toBeDefined())
  })

  test('sends the checksums of a large archive in several requests, and each checksum once', async () => {
    const members = Array.from({ length: CHECKSUMS_PER_CHECK_MAX + 1 }, (_, at) => ({
      path: `${at}`,
      checksum: at.toString(16).padStart(64, '0'),
    }))
    states[`zip:${sum('a')}`] = known('current', DAY)
    await choose({ checksum: `zip:${sum('a')}`, members: [...members, ...members.map((one) => ({ ...one, path: `copy of ${one.path}` }))] })
    await waitFor(() => expect(result().getByText('Unchanged and current')).toBeDefined())
    const sizes = server.bodies(fileCheckCalls.check).map((body) => body.checksums.length)
    expect(sizes).toEqual([CHECKSUMS_PER_CHECK_MAX, 2])
  })

  test('states no answer for a file that the browser cannot read', async () => {
    await choose(new UnreadableFile())
    await waitFor(() => expect(result().getByRole('alert').textContent).toMatch(/^Your browser cannot read this file/))
    expect(result().getByRole('status').textContent).toBe('')
    expect(server.requests).toEqual([])
  })

  test('says why the service did not answer, and checks again', async () => {
    server.on(fileCheckCalls.check, () => errorAnswer('throttled', 'Too many files were checked from this network.'))
    const { user } = await choose({ checksum: sum('a'), members: [] })
    await waitFor(() => expect(result().getByRole('alert').textContent).toBe('Too many files were checked from this network.'))
    server.on(fileCheckCalls.check, () => ({ data: [{ checksum: sum('a'), ...known('current') }] }))
    await user.click(result().getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(result().getByText('Unchanged and current')).toBeDefined())
  })

  test('checks many small files with few requests, so that it does not reach the limit of a network', async () => {
    let read = 0
    vi.mocked(hashInWorker).mockImplementation(async () => ({ checksum: String((read += 1)).padStart(64, '0'), members: [] }))
    const { user } = renderApp('/check')
    const files = Array.from({ length: 24 }, (_, index) => new File(['deed'], `deed ${index}.pdf`))
    await user.upload(await screen.findByLabelText('Choose files', { selector: 'input' }), files)
    await waitFor(() => expect(screen.getAllByText('Unknown')).toHaveLength(files.length + 1), { timeout: 50_000 })
    const requests = server.bodies(fileCheckCalls.check)
    expect(requests.flatMap(({ checksums }) => checksums)).toHaveLength(files.length)
    // One every two seconds, while a busy machine reads the files for several.
    expect(requests.length).toBeLessThanOrEqual(files.length / 2)
  })

  test('shows the latest file at the top, and reads it after the one that is being read', async () => {
    const answers: ((hashed: HashedFile) => void)[] = []
    vi.mocked(hashInWorker).mockImplementation(() => new Promise((resolve) => answers.push(resolve)))
    const { user } = renderApp('/check')
    const input = await screen.findByLabelText('Choose files', { selector: 'input' })
    for (const name of ['one.pdf', 'two.pdf']) await user.upload(input, new File(['deed'], name))
    const names = () =>
      within(screen.getByRole('region', { name: 'Results' }))
        .getAllByRole('listitem')
        .map((item) => item.ariaLabel)
    expect([names(), answers.length]).toEqual([['two.pdf', 'one.pdf'], 1])
    answers[0]?.({ checksum: sum('a'), members: [] })
    await waitFor(() => expect(answers).toHaveLength(2))
    expect(result('one.pdf').getByText('Unknown')).toBeDefined()
    expect(result('two.pdf').getByRole('progressbar')).toBeDefined()
  })

  test('shows progress, and cancels the file that is being read before it reads the next one', async () => {
    const signals: AbortSignal[] = []
    vi.mocked(hashInWorker).mockImplementation((_request, onProgress, signal) => {
      signals.push(signal)
      onProgress(2)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    })
    const { user } = renderApp('/check')
    const files = ['one.pdf', 'two.pdf'].map((name) => new File(['deed'], name))
    await user.upload(await screen.findByLabelText('Choose files', { selector: 'input' }), files)
    await waitFor(() => expect(result('one.pdf').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50'))
    expect(result('two.pdf').getByText('Waiting')).toBeDefined()
    await user.click(result('one.pdf').getByRole('button', { name: 'Cancel one.pdf' }))
    await waitFor(() => expect(result('two.pdf').getByRole('progressbar')).toBeDefined())
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    expect(screen.queryByRole('listitem', { name: 'one.pdf' })).toBeNull()
  })

  test('renders only the file that is being read while it is read', async () => {
    let onRead: (bytes: number) => void = () => undefined
    vi.mocked(hashInWorker).mockImplementation(async ({ file }, onProgress) => {
      if ((file as File).name === 'one.pdf') return { checksum: sum('a'), members: [] }
      onRead = onProgress
      return new Promise(() => undefined)
    })
    const { user } = renderApp('/check')
    const one = new File(['deed'], 'one.pdf')
    await user.upload(await screen.findByLabelText('Choose files', { selector: 'input' }), [one, new File(['deed'], 'two.pdf')])
    const progress = () => result('two.pdf').getByRole('progressbar').getAttribute('aria-valuenow')
    await waitFor(() => expect(progress()).toBe('1'))
    const name = vi.spyOn(one, 'name', 'get')
    onRead(2)
    await waitFor(() => expect(progress()).toBe('50'))
    expect(name).not.toHaveBeenCalled()
  })

  describe('with the manifest of an unpacked archive', () => {
    const MANIFEST = {
      manifest_version: 1,
      documents: [
        { path: 'Documents/deed.pdf', sha256: sum('a') },
        { path: 'Documents/roof.pdf', sha256: sum('b') },
      ],
      generated: [{ path: 'Document Index.xlsx', sha256: sum('c') }],
    }
    /** Drops files with these contents; their checksums are these letters. */
    async function drop(files: Record<string, string>) {
      vi.mocked(hashInWorker).mockImplementation(async ({ file }) => ({ checksum: sum(files[(file as File).name] ?? ''), members: [] }))
      const { user } = renderApp('/check')
      const chosen = Object.keys(files).map((name) => new File([name === 'Manifest.json' ? JSON.stringify(MANIFEST) : name], name))
      await user.upload(await screen.findByLabelText('Choose files', { selector: 'input' }), chosen)
    }
    beforeEach(() => {
      for (const letter of ['a', 'b', 'c', 'd']) states[sum(letter)] = known('current')
    })

    test('names the files of the archive that are missing or have other content', async () => {
      await drop({ 'Manifest.json': 'd', 'deed.pdf': 'a', 'Document Index.xlsx': 'e' })
      const manifest = await waitFor(() => result('Manifest.json'))
      expect(await manifest.findByText('It lists 3 files. 2 of them are not here as listed.')).toBeDefined()
      expect(manifest.getByText('1 missing').parentElement?.textContent).toContain('Documents/roof.pdf')
      expect(manifest.getByText('1 here with other content').parentElement?.textContent).toContain('Document Index.xlsx')
    })

    test('says that no file of the archive is missing', async () => {
      await drop({ 'Manifest.json': 'd', 'deed.pdf': 'a', 'other name.pdf': 'b', 'Document Index.xlsx': 'c' })
      expect(await screen.findByText('All 3 files that it lists are here, unchanged.')).toBeDefined()
    })

    test('is current when the product made it and it is current, also with a document that is superseded alone', async () => {
      Object.assign(states, { [sum('d')]: known('current', DAY), [sum('b')]: known('superseded') })
      await drop({ 'Manifest.json': 'd' })
      await waitFor(() => expect(result('Manifest.json').getByText('Unchanged and current')).toBeDefined())
      expect(result('Manifest.json').queryByText('1 replaced or withdrawn since')).toBeNull()
    })

    test('is superseded with one of the files that it lists when it was uploaded as a document, and names it', async () => {
      states[sum('b')] = known('superseded')
      await drop({ 'Manifest.json': 'd' })
      await waitFor(() => expect(result('Manifest.json').getByText('Unchanged, but superseded')).toBeDefined())
      expect(result('Manifest.json').getByText(/^No newer list was made, but some of the documents in it were replaced/)).toBeDefined()
      const named = result('Manifest.json').getByText('1 replaced or withdrawn since').parentElement
      expect(named?.textContent).toContain('Documents/roof.pdf')
    })

    test('asks the user for the files if there is only the manifest, and says that an unknown manifest may have been changed', async () => {
      await drop({ 'Manifest.json': 'f' })
      const text = await screen.findByText(/^It lists 3 files\. Drop them here, too/)
      expect(text.textContent).toContain('This file is unknown itself, so its list may have been changed.')
    })
  })
})
