import { describe, expect, it } from 'vitest'
import { IMPORT_BATCH_CELLS, IMPORT_HEADER_SCAN_ROWS, IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { openWorkbookHere } from './open-workbook.ts'
import { listSheets, readWorkbook } from './read-in-worker.ts'
import { packRows, unpackRows } from './row-pack.ts'
import { readAllInWorker, save, saveWorkbook } from './spreadsheet.fixture.ts'

const rowsXml = (count: number, columns = 1) =>
  `<sheetData>${`<row>${'<c><v>12345</v></c>'.repeat(columns)}</row>`.repeat(count)}</sheetData>`

describe('limits of rows', () => {
  it.each([
    ['xlsx', (rows: number) => saveWorkbook('rows.xlsx', { sheets: [rowsXml(rows)] })],
    ['csv', (rows: number) => save('rows.csv', 'a,1\n'.repeat(rows))],
  ])('50,001 rows of %s are refused when the caller counts no header', async (_, make) => {
    const path = await make(50_001)
    await expect(readAllInWorker(path, { maxRows: 50_000 })).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('50,000'),
    })
    expect((await readAllInWorker(path)).sheets[0]?.layout.filledRows).toBe(50_001)
  })

  it('without a word from the caller, titles and headers are allowed for and no more', async () => {
    const path = await saveWorkbook('rows.xlsx', { sheets: [rowsXml(IMPORT_MAX_ROWS + IMPORT_HEADER_SCAN_ROWS + 1)] })
    await expect(readAllInWorker(path)).rejects.toMatchObject({ kind: 'too_large', message: expect.stringContaining('50,000 rows') })
  })
})

describe('the worker', () => {
  it('sends small batches, so that this thread is never busy with much of a file at once', async () => {
    const path = await saveWorkbook('big.xlsx', { sheets: [rowsXml(30_000, 20)] })
    const sizes: number[] = []
    const busy: number[] = []
    let before = process.threadCpuUsage()
    for await (const part of readWorkbook(path)) {
      const used = process.threadCpuUsage(before)
      busy.push(used.user + used.system)
      if (part.part === 'rows') sizes.push(part.rows.length)
      before = process.threadCpuUsage()
    }
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(30_000)
    expect(Math.max(...sizes) * 20).toBeLessThanOrEqual(IMPORT_BATCH_CELLS)
    expect(Math.max(...busy) / busy.reduce((sum, part) => sum + part, 0)).toBeLessThan(0.2)
  })

  it('ends when the reader leaves early', async () => {
    const path = await save('long.csv', 'a,1\n'.repeat(40_000))
    for await (const part of readWorkbook(path)) if (part.part === 'rows') break
    expect(process.getActiveResourcesInfo()).not.toContain('MessagePort')
  })

  it('that runs out of time is a clear refusal', async () => {
    const path = await saveWorkbook('slow.xlsx', { sheets: [rowsXml(30_000, 20)] })
    await expect(readAllInWorker(path, { timeMs: 30 })).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('too much time or memory'),
    })
  })

  it('that runs out of memory is a clear refusal, and the server lives on', async () => {
    const strings = Array.from({ length: 60_000 }, (_, at) => `<si><t>${String(at).padStart(1_000, 'x')}</t></si>`).join('')
    const path = await saveWorkbook('heavy.xlsx', { sheets: [rowsXml(1)], strings })
    await expect(readAllInWorker(path, { memoryMb: 24 })).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('too much time or memory'),
    })
  })

  it('sends wordy rows in small batches, and stops a shared text that stands in too many cells', async () => {
    const strings = `<si><t>${'x'.repeat(30_000)}</t></si>`
    const wordy = (rows: number) => `<sheetData>${`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(rows)}</sheetData>`
    const sizes: number[] = []
    for await (const part of readWorkbook(await saveWorkbook('wordy.xlsx', { sheets: [wordy(5)], strings }))) {
      if (part.part === 'rows') sizes.push(part.rows.length)
    }
    expect(sizes).toEqual([1, 1, 1, 1, 1])
    const opened = await openWorkbookHere(await saveWorkbook('echo.xlsx', { sheets: [wordy(200)], strings }))
    const readRest = async () => {
      for await (const part of opened.read(0, Infinity)) expect(part.part).toBe('rows')
    }
    await expect(readRest()).rejects.toMatchObject({ kind: 'too_large', message: expect.stringContaining('unusually large') })
    opened.close()
  })

  it('lists sheets without reading them', async () => {
    const path = await saveWorkbook('two.xlsx', { sheets: [rowsXml(3), '<sheetData>'] })
    expect((await listSheets(path)).sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Sheet2'])
  })

  it('a file that is not there is an error of ours, not a damaged file', async () => {
    await expect(readAllInWorker('/nowhere/values.xlsx')).rejects.not.toMatchObject({ name: 'AppError' })
  })
})

describe('packed rows', () => {
  it('come out as they went in', () => {
    const rows = [
      { number: 3, hidden: false, cells: [{ column: 2, kind: 'text' as const, value: 'a', text: 'a' }] },
      {
        number: 9,
        hidden: true,
        cells: [
          { column: 1, kind: 'number' as const, value: 1.5, text: '1.5' },
          { column: 4, kind: 'number' as const, value: 0.5, text: '50%', percent: true as const },
          { column: 5, kind: 'error' as const, value: null, text: '#N/A' },
          { column: 6, kind: 'formula' as const, value: 'x', text: 'x', formula: 'A1' },
          { column: 300, kind: 'boolean' as const, value: false, text: 'FALSE' },
        ],
      },
    ]
    expect(unpackRows(structuredClone(packRows(rows)))).toEqual(rows)
  })
})
