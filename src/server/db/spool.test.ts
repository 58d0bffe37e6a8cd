import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Spool } from './spool.ts'

const bytes = (text: string) => Buffer.from(text)
const read = async (spool: Spool) => Buffer.concat(await Readable.from(spool).toArray()).toString()
const files = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('plumbline-'))

describe('a spool', () => {
  it('keeps the order, whether the reader is slow or fast', async () => {
    const words = Array.from({ length: 500 }, (_, at) => `${at} `.repeat((at % 7) + 1))
    for (const pauses of [1, 3, Infinity]) {
      const spool = new Spool({ memoryBytes: 20 })
      const reading = read(spool)
      for (const [at, word] of words.entries()) {
        await spool.write(bytes(word))
        if (at % pauses === 0) await new Promise(setImmediate)
      }
      spool.end()
      expect(await reading).toBe(words.join(''))
    }
  })

  it('writes what does not fit into memory to a file that has no name', async () => {
    const before = await files()
    const spool = new Spool({ memoryBytes: 4 })
    for (const word of ['four', 'more', 'and more']) await spool.write(bytes(word))
    spool.end()
    expect(await files()).toEqual(before)
    expect(await read(spool)).toBe('fourmoreand more')
  })

  it('throws the error of its source after what was written before', async () => {
    const spool = new Spool()
    await spool.write(bytes('before'))
    spool.end(new Error('The source broke.'))
    const seen: string[] = []
    const reading = async () => {
      for await (const chunk of spool) seen.push(chunk.toString())
    }
    await expect(reading()).rejects.toThrow('The source broke.')
    expect(seen).toEqual(['before'])
  })

  it('takes more after it was closed without keeping it, and its reader ends', async () => {
    const spool = new Spool({ memoryBytes: 4 })
    const reading = read(spool)
    await spool.write(bytes('first'))
    const writing = spool.write(bytes('second'))
    await spool.close()
    await writing
    await spool.write(bytes('third'))
    spool.end()
    expect('firstsecond').toContain(await reading)
  })
})
