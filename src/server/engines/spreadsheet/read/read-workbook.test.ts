import { describe, expect, it } from 'vitest'
import { IMPORT_HEADER_SCAN_ROWS, IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { IMPORT_BATCH_CELLS } from '#contract/reading-limits.ts'
import { save, saveWorkbook } from '../spreadsheet.fixture.ts'
import { openWorkbook } from './open-workbook.ts'
import { readWorkbook, type WorkbookPart } from './read-workbook.ts'

const rowsXml = (count: number, columns = 1) =>
  `<sheetData>${`<row>${'<c><v>12345</v></c>'.repeat(columns)}</row>`.repeat(count)}</sheetData>`
const LONG_TEXT = `<si><t>${'x'.repeat(30_000)}</t></si>`
/** Rows of 100 cells that all refer to the same long text. */
const wordyXml = (rows: number) => `<sheetData>${`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(rows)}</sheetData>`

async function readParts(path: string, options?: Parameters<typeof readWorkbook>[1]): Promise<WorkbookPart[]> {
  const parts: WorkbookPart[] = []
  for await (const part of readWorkbook(path, options)) parts.push(part)
  return parts
}
const rowsOf = (parts: WorkbookPart[]) => parts.flatMap((part) => (part.part === 'rows' ? [part.rows] : []))

describe('the limit of rows', () => {
  it.each([
    ['xlsx', (rows: number) => saveWorkbook('rows.xlsx', { sheets: [rowsXml(rows)] })],
    ['csv', (rows: number) => save('rows.csv', 'a,1\n'.repeat(rows))],
  ])('rejects 50,001 rows of %s when the caller allows for no header', async (_, make) => {
    const path = await make(50_001)
    await expect(readParts(path, { maxRows: 50_000 })).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('50,000'),
    })
    expect(await readParts(path)).toContainEqual(
      expect.objectContaining({ part: 'layout', layout: expect.objectContaining({ filledRows: 50_001 }) }),
    )
  })

  it('allows for titles and headers by default', async () => {
    const path = await saveWorkbook('rows.xlsx', { sheets: [rowsXml(IMPORT_MAX_ROWS + IMPORT_HEADER_SCAN_ROWS + 1)] })
    await expect(readParts(path)).rejects.toMatchObject({ kind: 'too_large', message: expect.stringContaining('50,000 rows') })
  })
})

describe('readWorkbook', () => {
  it('yields batches bounded by cells, so that no batch blocks this thread for long', async () => {
    const path = await saveWorkbook('big.xlsx', { sheets: [rowsXml(30_000, 20)] })
    const batches = rowsOf(await readParts(path))
    expect(batches.flat()).toHaveLength(30_000)
    expect(Math.max(...batches.map((rows) => rows.length * 20))).toBeLessThanOrEqual(IMPORT_BATCH_CELLS)
  })

  it('yields batches bounded by characters', async () => {
    const batches = rowsOf(await readParts(await saveWorkbook('wordy.xlsx', { sheets: [wordyXml(5)], strings: LONG_TEXT })))
    expect(batches.map((rows) => rows.length)).toEqual([1, 1, 1, 1, 1])
  })

  it('ends its process when the caller stops early', async () => {
    const path = await save('long.csv', 'a,1\n'.repeat(40_000))
    for await (const part of readWorkbook(path)) if (part.part === 'rows') break
    await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('ProcessWrap')
  })

  it('rejects a file that takes too much time', async () => {
    const path = await saveWorkbook('slow.xlsx', { sheets: [rowsXml(30_000, 20)] })
    await expect(readParts(path, { timeMs: 30 })).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('too much time or memory'),
    })
  })

  it('rejects a file that takes too much memory, without harm to this process', async () => {
    const strings = Array.from({ length: 60_000 }, (_, at) => `<si><t>${String(at).padStart(1_000, 'x')}</t></si>`).join('')
    const path = await saveWorkbook('heavy.xlsx', { sheets: [rowsXml(1)], strings })
    await expect(readParts(path, { memoryMb: 24 })).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('too much time or memory'),
    })
  })

  it('lists the sheets without reading them', async () => {
    const path = await saveWorkbook('two.xlsx', { sheets: [rowsXml(3), '<sheetData>'] })
    expect(await readParts(path, { sheets: [] })).toEqual([
      {
        part: 'workbook',
        workbook: {
          kind: 'xlsx',
          sheets: [
            { index: 0, name: 'Sheet1', hidden: false },
            { index: 1, name: 'Sheet2', hidden: false },
          ],
        },
      },
    ])
  })

  it('fails with an internal error, not with a damaged file, when the file does not exist', async () => {
    await expect(readParts('/nowhere/values.xlsx')).rejects.not.toMatchObject({ name: 'AppError' })
  })
})

it('openWorkbook rejects a shared text that is repeated beyond the limit of an unpacked workbook', async () => {
  const opened = await openWorkbook(await saveWorkbook('echo.xlsx', { sheets: [wordyXml(200)], strings: LONG_TEXT }))
  const readRest = async () => {
    for await (const part of opened.read(0, Infinity)) expect(part.part).toBe('rows')
  }
  await expect(readRest()).rejects.toMatchObject({ kind: 'too_large', message: expect.stringContaining('unusually large') })
  opened.close()
})
