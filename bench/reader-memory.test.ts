import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import { readersBytes } from './reader-memory.ts'

test.runIf(existsSync('/proc/self/status'))('memory of the processes that read files is counted while they run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-reader-memory-'))
  const path = join(folder, 'list.csv')
  await writeFile(path, 'a,1\n'.repeat(40_000))
  try {
    for await (const part of readWorkbook(path)) {
      expect(part.part).toBe('workbook')
      expect(readersBytes(process.pid)).toBeGreaterThan(1_048_576)
      break
    }
    expect(readersBytes(process.pid)).toBe(0)
  } finally {
    await rm(folder, { recursive: true })
  }
})
