import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { blocksOf } from './blocks.ts'

async function joined(limits: Parameters<typeof blocksOf>[1], chunks: string[]): Promise<string[]> {
  const blocks: string[] = []
  for await (const block of blocksOf(Readable.from(chunks), limits)) blocks.push(String(block))
  return blocks
}

it('joins chunks into blocks of the least size, of which only the last one is smaller', async () => {
  expect(await joined({ least: 4 }, ['ab', 'c', 'de', 'fghi', 'j'])).toEqual(['abcde', 'fghi', 'j'])
  expect(await joined({ least: 4 }, [])).toEqual([])
})

it('passes the first chunk on at once if its least size is 0', async () => {
  expect(await joined({ least: 4, first: 0 }, ['ab', 'c', 'def'])).toEqual(['ab', 'cdef'])
})
