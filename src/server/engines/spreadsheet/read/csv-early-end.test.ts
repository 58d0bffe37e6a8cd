import type * as fs from 'node:fs'
import { beforeEach, expect, it, vi } from 'vitest'
import { IMPORT_TOKEN_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import { readOne, save, texts } from '../spreadsheet.fixture.ts'

const { streams } = vi.hoisted(() => ({ streams: new Array<fs.ReadStream>() }))

vi.mock('node:fs', async (original) => {
  const module = await original<typeof fs>()
  const createReadStream: typeof fs.createReadStream = (path, options) => {
    const stream = module.createReadStream(path, options)
    streams.push(stream)
    return stream
  }
  return { ...module, createReadStream }
})

beforeEach(() => streams.splice(0))

const bytesRead = () => streams.reduce((sum, stream) => sum + stream.bytesRead, 0)
/** The row that is rejected, and what is read ahead of it. */
const READ_AT_MOST = 4 * IMPORT_TOKEN_MAX_CHARACTERS

it.each([
  ['an open quote before one line', `a,b\n"${'x'.repeat(8_000_000)}`, 'Row 2 has more than'],
  ['an open quote before many lines', `a,b\n"${'x,1\n'.repeat(2_000_000)}`, 'Row 2 has more than'],
  ['an open quote at its start', `"${'x'.repeat(8_000_000)}`, 'Row 1 has more than'],
  ['doubled quotes after an open quote', `a,b\n"${'""x'.repeat(2_700_000)}`, 'Row 2 has more than'],
  ['an open quote before text in Windows-1252', Buffer.from(`a,b\n"${'é'.repeat(8_000_000)}`, 'latin1'), 'Row 2 has more than'],
  ['commas in the first line', ','.repeat(8_000_000), 'Line 1 has more columns'],
  ['commas in a later line', `a,b\n1,2\n${','.repeat(8_000_000)}`, 'Line 3 has more columns'],
  ['letters', 'x'.repeat(8_000_000), 'Row 1 has more than'],
  ['blanks', ' '.repeat(8_000_000), 'Row 1 has more than'],
])('a file of %s is rejected before most of it is read', async (_, content, message) => {
  const path = await save('hostile.csv', content)
  await expect(readOne(path)).rejects.toMatchObject({ message: expect.stringContaining(message) })
  expect(bytesRead()).toBeGreaterThan(0)
  expect(bytesRead()).toBeLessThan(READ_AT_MOST)
})

it.each([
  ['UTF-8', 'utf8'],
  ['Windows-1252', 'latin1'],
] as const)('a line in %s that is read in several pieces keeps its characters', async (_, encoding) => {
  // Doubled quotes make the line longer than its text. The first cells move the characters against the pieces.
  const text = (quote: string) => `é${quote.repeat(4)}`.repeat(6_000)
  const rows = ['a', 'ab'].map((first) => [first, ...Array<string>(24).fill(`"${text('""')}"`)].join(','))
  expect(rows[0]?.length).toBeGreaterThan(IMPORT_TOKEN_MAX_CHARACTERS)
  const sheet = await readOne(await save('wide.csv', Buffer.from(rows.join('\n'), encoding)))
  expect(texts(sheet).map((row) => new Set(row))).toEqual([new Set(['a', text('"')]), new Set(['ab', text('"')])])
})
