import { describe, expect, it } from 'vitest'
import { detectDelimiter } from './csv-delimiter.ts'
import { readOne, save, texts } from './spreadsheet.fixture.ts'

const read = async (content: string | Buffer) => readOne(await save('data.csv', content))
const textsOf = async (content: string | Buffer) => texts(await read(content))
const latin = (text: string) => Buffer.from(text, 'latin1')

describe('encodings', () => {
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

  it('Windows-1252 has signs that Latin-1 has not', async () => {
    expect(await textsOf(Buffer.concat([latin('a,'), Buffer.from([0x80, 0x93, 0x94])]))).toEqual([['a', '€“”']])
  })

  it('a file of mixed origin loses no row: each line is read as what it is', async () => {
    const content = Buffer.concat([Buffer.from('name,city\nCafé,Zürich\n'), latin('Café,Zürich\r\n'), Buffer.from('end,“ok”\n')])
    expect(await textsOf(content)).toEqual([
      ['name', 'city'],
      ['Café', 'Zürich'],
      ['Café', 'Zürich'],
      ['end', '“ok”'],
    ])
  })

  it('many rows of mixed origin across the chunks of a large file', async () => {
    const lines = Array.from({ length: 9_000 }, (_, at) => (at % 3 === 0 ? latin(`${at};Café\n`) : Buffer.from(`${at};Café\n`)))
    const { rows } = await read(Buffer.concat(lines))
    expect(rows.length).toBe(9_000)
    expect(rows.every(({ cells }, at) => cells[0]?.value === String(at) && cells[1]?.value === 'Café')).toBe(true)
  })
})

describe('delimiters', () => {
  it.each([',', ';', '\t', '|'])('%j by the most constant number of columns', async (delimiter) => {
    const rows = ['Schedule, as of 2025; draft', `Name${delimiter}Value`, `"A${delimiter} B"${delimiter}"1,5;2"`, `C${delimiter}2`]
    expect((await textsOf(rows.join('\n'))).slice(1)).toEqual([
      ['Name', 'Value'],
      [`A${delimiter} B`, '1,5;2'],
      ['C', '2'],
    ])
  })

  it('semicolons win over the decimal commas between them', () => {
    expect(detectDelimiter('loc;value;area\n1;1,5;2,5\n2;3;4,5\n3;1,5;2\n')).toBe(';')
  })

  it('one column needs none', async () => {
    expect(await textsOf('Name\nAnna\n')).toEqual([['Name'], ['Anna']])
  })

  it('the first line may name it, as Excel writes it', async () => {
    expect(await textsOf('sep=|\r\na,b|c\r\n')).toEqual([['a,b', 'c']])
  })
})

describe('rows', () => {
  it.each(['\n', '\r\n', '\r'])('end with %j; quoted fields keep line breaks, delimiters and doubled quotes', async (end) => {
    const sheet = await read([`a,"x\ny, ""z"""`, '', 'b,2'].join(end))
    expect(texts(sheet)).toEqual([
      ['a', 'x\ny, "z"'],
      ['b', '2'],
    ])
    expect(sheet.rows.map(({ number }) => number)).toEqual([1, 3])
  })

  it('may be ragged; empty fields leave gaps', async () => {
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
    expect(sheet.layout).toEqual({ filledRows: 3, lastRow: 3, lastColumn: 4, merges: [], hiddenColumns: [] })
  })

  it('may end their lines in different ways in one file', async () => {
    expect(await textsOf('a,b\r\n1,2\n3,4\r5,6')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
  })

  it('a quote inside a word is a sign like any other', async () => {
    expect(await textsOf('a,b\n12" pipe,5\' wall\n')).toEqual([
      ['a', 'b'],
      ['12" pipe', "5' wall"],
    ])
  })

  it('a quoted text that never ends is refused with its row', async () => {
    await expect(read('a,b\n1,2\n"3,4\n5,6\n')).rejects.toMatchObject({ kind: 'invalid', message: expect.stringContaining('Row 3') })
  })

  it('a value beyond column 300 is refused', async () => {
    await expect(read(`a\n${','.repeat(300)}x\n`)).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('column KO'),
    })
  })

  it('a text longer than a cell can hold is refused', async () => {
    await expect(read(`a,b\n1,${'x'.repeat(32_768)}\n`)).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('Cell B2'),
    })
  })

  it('with NUL characters far inside lose only those', async () => {
    const content = `${'row,1\n'.repeat(20_000)}a\0b,2\n`
    expect((await read(content)).rows.at(-1)?.cells[0]?.value).toBe('ab')
  })
})
