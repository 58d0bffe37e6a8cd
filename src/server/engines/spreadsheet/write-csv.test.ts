import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { readOne, save, texts } from './spreadsheet.fixture.ts'
import { type CsvValue, writeCsv } from './write-csv.ts'

const write = (...rows: CsvValue[][]) => text(writeCsv(rows))

describe('writeCsv', () => {
  it('writes the mark, commas, CRLF and quotes where needed', async () => {
    const bytes = await buffer(writeCsv([['a', 'b,c', 'd"e', 'f\ng', 1.5, true, null]]))
    expect(bytes.toString('utf8')).toBe('\ufeffa,"b,c","d""e","f\ng",1.5,true,\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@x', '\tx'])('puts an apostrophe before %j', async (value) => {
    expect((await write([value])).replace('\ufeff', '').trimEnd()).toMatch(/^"?'/)
  })

  it('leaves negative numbers alone', async () => {
    expect(await write([-5])).toContain('-5')
    expect(await write([-5])).not.toContain("'")
  })

  it('reads back', async () => {
    const path = await save('out.csv', await write(['Name', 'City'], ['Café; bar', 'Zürich, CH'], ['two\nlines', 'x']))
    expect(texts(await readOne(path))).toEqual([
      ['Name', 'City'],
      ['Café; bar', 'Zürich, CH'],
      ['two\nlines', 'x'],
    ])
  })

  it('fails when its source fails', async () => {
    async function* rows() {
      yield ['a']
      throw new Error('The database went away')
    }
    await expect(text(writeCsv(rows()))).rejects.toThrow('The database went away')
  })
})
