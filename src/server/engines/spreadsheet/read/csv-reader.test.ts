import { describe, expect, it } from 'vitest'
import { readOne, save, texts } from '../spreadsheet.fixture.ts'
import { detectDelimiter } from './csv-reader.ts'

const read = async (content: string | Buffer) => readOne(await save('data.csv', content))
const textsOf = async (content: string | Buffer) => texts(await read(content))
const latin = (text: string) => Buffer.from(text, 'latin1')

describe('openCsv reads the encoding', () => {
  it.each([
    ['UTF-8', Buffer.from('Straße,Café\n1,2\n')],
    ['UTF-8 with a mark', Buffer.from('\ufeffStraße,Café\n1,2\n')],
    ['UTF-16 LE with a mark', Buffer.from('\ufeffStraße,Café\n1,2\n', 'utf16le')],
    ['UTF-16 LE without', Buffer.from('Straße,Café\n1,2\n', 'utf16le')],
    ['UTF-16 BE with a mark', Buffer.from('\ufeffStraße,Café\n1,2\n', 'utf16le').swap16()],
    ['Windows-1252', latin('Straße,Café\n1,2\n')],
  ])('%s', async (_, content) => {
    expect(await textsOf(content)).toEqual([
      ['Straße', 'Café'],
      ['1', '2'],
    ])
  })

  it('Windows-1252 with characters that Latin-1 lacks', async () => {
    expect(await textsOf(Buffer.concat([latin('a,'), Buffer.from([0x80, 0x93, 0x94])]))).toEqual([['a', '€“”']])
  })

  it('of each line on its own in a file of mixed origin', async () => {
    const content = Buffer.concat([Buffer.from('name,city\nCafé,Zürich\n'), latin('Café,Zürich\r\n'), Buffer.from('end,“ok”\n')])
    expect(await textsOf(content)).toEqual([
      ['name', 'city'],
      ['Café', 'Zürich'],
      ['Café', 'Zürich'],
      ['end', '“ok”'],
    ])
  })

  it('of each line across the chunks of a large file of mixed origin', async () => {
    const lines = Array.from({ length: 9_000 }, (_, at) => (at % 3 === 0 ? latin(`${at};Café\n`) : Buffer.from(`${at};Café\n`)))
    const { rows } = await read(Buffer.concat(lines))
    expect(rows.length).toBe(9_000)
    expect(rows.every(({ cells }, at) => cells[0]?.value === String(at) && cells[1]?.value === 'Café')).toBe(true)
  })
})

describe('the delimiter', () => {
  it.each([',', ';', '\t', '|'])('%j is detected by the most common number of columns', async (delimiter) => {
    const rows = ['Schedule, as of 2025; draft', `Name${delimiter}Value`, `"A${delimiter} B"${delimiter}"1,5;2"`, `C${delimiter}2`]
    expect((await textsOf(rows.join('\n'))).slice(1)).toEqual([
      ['Name', 'Value'],
      [`A${delimiter} B`, '1,5;2'],
      ['C', '2'],
    ])
  })

  it('is a semicolon although decimal commas occur between semicolons', () => {
    expect(detectDelimiter('loc;value;area\n1;1,5;2,5\n2;3;4,5\n3;1,5;2\n')).toBe(';')
  })

  it('is not needed for one column', async () => {
    expect(await textsOf('Name\nAnna\n')).toEqual([['Name'], ['Anna']])
  })

  it('can be named in the first line, as Excel writes it', async () => {
    expect(await textsOf('sep=|\r\na,b|c\r\n')).toEqual([['a,b', 'c']])
  })
})

describe('rows of delimited text', () => {
  it.each(['\n', '\r\n', '\r'])('end with %j and preserve line breaks, delimiters and doubled quotes in quoted fields', async (end) => {
    const sheet = await read([`a,"x\ny, ""z"""`, '', 'b,2'].join(end))
    expect(texts(sheet)).toEqual([
      ['a', 'x\ny, "z"'],
      ['b', '2'],
    ])
    expect(sheet.rows.map(({ number }) => number)).toEqual([1, 3])
  })

  it('can have different lengths; empty fields leave gaps', async () => {
    const sheet = await read('a,b,c\n1\n,,3,4\n')
    expect(sheet.rows.map(({ cells }) => cells.map(({ column, value }) => [column, value]))).toEqual([
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ],
      [[1, '1']],
      [
        [3, '3'],
        [4, '4'],
      ],
    ])
    expect(sheet.layout).toMatchObject({ filledRows: 3, lastRow: 3, lastColumn: 4, merges: [] })
  })

  it('can end in different ways in one file', async () => {
    expect(await textsOf('a,b\r\n1,2\n3,4\r5,6')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
  })

  it.each(['\n', '\r\n', '\r'])('that end with %j can have more commas together than a line can', async (end) => {
    const { rows } = await read(`1,2,3,4,5${end}`.repeat(9_000))
    expect([rows.length, rows.at(-1)?.number]).toEqual([9_000, 9_000])
  })

  it('can begin with a line of 100 KB', async () => {
    const [first, second] = await textsOf(`${'x'.repeat(30_000)}\t${'y'.repeat(30_000)}\t${'z'.repeat(30_000)}\n1\t2\t3,4`)
    expect([first?.length, second]).toEqual([3, ['1', '2', '3,4']])
  })

  it('can contain a quotation mark inside a word', async () => {
    expect(await textsOf('a,b\n12" pipe,5\' wall\n')).toEqual([
      ['a', 'b'],
      ['12" pipe', "5' wall"],
    ])
  })

  it('are rejected with the row number when a quoted text never ends', async () => {
    await expect(read('a,b\n1,2\n"3,4\n5,6\n')).rejects.toMatchObject({ kind: 'invalid', message: expect.stringContaining('Row 3') })
  })

  it('are rejected with the row of a quoted text that never ends in one line of 30 MB, in time that grows with the length only', async () => {
    const cpuOf = async (characters: number) => {
      const path = await save('open-quote.csv', `a,b\n"${'x'.repeat(characters)}`)
      const begun = process.cpuUsage()
      await expect(readOne(path)).rejects.toMatchObject({ kind: 'invalid', message: expect.stringContaining('Row 2') })
      const { user, system } = process.cpuUsage(begun)
      return user + system
    }
    await cpuOf(3_000_000)
    const [short, long] = [await cpuOf(3_000_000), await cpuOf(30_000_000)]
    expect(long / short).toBeLessThan(40)
  })

  it.each([
    ['commas in one line', ','.repeat(20_000_000), 'Line 1 has more columns'],
    ['tabs in one line', '\t'.repeat(20_000_000), 'Line 1 has more columns'],
    ['letters in one line', 'x'.repeat(20_000_000), 'Row 1 has more than 1,048,576 characters.'],
    ['commas in 20,000 lines', `${','.repeat(1_000)}\n`.repeat(20_000), 'The first 1,000 rows of this file are empty'],
    ['quoted empty texts', '"",'.repeat(7_000_000), 'Line 1 has more columns'],
  ])('are rejected when they are 20 MB of %s', async (_, content, message) => {
    await expect(read(content)).rejects.toMatchObject({ message: expect.stringContaining(message) })
  })

  it('are read with their numbers between a million empty lines, within two seconds', async () => {
    const cpuOf = async (lines: number) => {
      const path = await save('empty-lines.csv', `a,b\n${'\n'.repeat(lines)}1,2\n`)
      const begun = process.cpuUsage()
      expect((await readOne(path)).rows.map(({ number }) => number)).toEqual([1, lines + 2])
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1_000
    }
    await cpuOf(1_000)
    expect(await cpuOf(1_000_000)).toBeLessThan(2_000)
  })

  it('are rejected when they are a million empty rows of another width than the first', async () => {
    const content = `a,b,c\n${',\n'.repeat(1_000_000)}`
    await expect(read(content)).rejects.toMatchObject({ message: expect.stringContaining('more than 100,000 empty rows') })
    expect((await read(`a,b,c\n${',,\n'.repeat(200_000)}1,2,3`)).rows.at(-1)?.number).toBe(200_002)
  })

  it('are rejected with the row number of an open quote after empty lines', async () => {
    await expect(read('a,b\n\n\n1,2\n"3,4\n')).rejects.toMatchObject({ message: expect.stringContaining('Row 5') })
  })

  it('can have a cell with as many delimiters as it can hold', async () => {
    expect(await textsOf(`a,b\n1,"${';'.repeat(32_767)}"\n`)).toEqual([
      ['a', 'b'],
      ['1', ';'.repeat(32_767)],
    ])
  })

  it('are rejected with a value beyond column 300', async () => {
    await expect(read(`a\n${','.repeat(300)}x\n`)).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('column KO'),
    })
  })

  it('are rejected with a text longer than a cell can hold', async () => {
    await expect(read(`a,b\n1,${'x'.repeat(32_768)}\n`)).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('Cell B2'),
    })
  })

  it('lose nothing but the NUL characters far inside a file', async () => {
    const content = `${'row,1\n'.repeat(20_000)}a\0b,2\n`
    expect((await read(content)).rows.at(-1)?.cells[0]?.value).toBe('ab')
  })
})
