import { describe, expect, it } from 'vitest'
import { readAll, readOne, save, saveWorkbook, texts, workbookParts, zip } from '../spreadsheet.fixture.ts'

const STYLES = [
  '<numFmts><numFmt numFmtId="170" formatCode="[$-409]d\\-mmm\\-yy;@"/><numFmt numFmtId="171" formatCode="00000"/>',
  '<numFmt numFmtId="172" formatCode="00000\\-0000"/><numFmt numFmtId="173" formatCode="&quot;day &quot;0.0"/></numFmts>',
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>',
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="9"/><xf numFmtId="171"/><xf numFmtId="172"/><xf numFmtId="173"/></cellXfs>',
].join('')
const STRINGS =
  '<si><t xml:space="preserve"> Main St </t></si><si><r><t>Bold</t></r><r><t> &amp; plain</t></r><rPh><t>hint</t></rPh></si><si><t>line_x000D_\nbreak</t></si>'

const oneRow = (cells: string) =>
  saveWorkbook('row.xlsx', { sheets: [`<sheetData><row r="4">${cells}</row></sheetData>`], strings: STRINGS, styles: STYLES })
const cellsOf = async (cells: string) => (await readOne(await oneRow(cells))).rows[0]?.cells

describe('cells of a workbook', () => {
  it('hold shared, rich, inline, escaped and CDATA text with its blanks', async () => {
    const cells =
      '<c r="A4" t="s"><v>0</v></c><c r="B4" t="s"><v>1</v></c><c r="C4" t="s"><v>2</v></c>' +
      '<c r="D4" t="inlineStr"><is><r><t>a &lt; </t></r><r><t><![CDATA[b & c]]></t></r></is></c><c r="E4" t="str"><v>&#8364;5</v></c>'
    expect((await cellsOf(cells))?.map(({ value }) => value)).toEqual([' Main St ', 'Bold & plain', 'line\r\nbreak', 'a < b & c', '€5'])
  })

  it('hold numbers, booleans and errors', async () => {
    expect(
      await cellsOf('<c r="A4"><v>0.1</v></c><c r="B4"><v>1.5E6</v></c><c r="C4" t="b"><v>1</v></c><c r="D4" t="e"><v>#N/A</v></c>'),
    ).toEqual([
      { column: 1, kind: 'number', value: 0.1, text: '0.1' },
      { column: 2, kind: 'number', value: 1_500_000, text: '1500000' },
      { column: 3, kind: 'boolean', value: true, text: 'TRUE' },
      { column: 4, kind: 'error', value: null, text: '#N/A' },
    ])
  })

  it('hold dates by built-in and custom format, with their stored number', async () => {
    expect(await cellsOf('<c r="A4" s="1"><v>45672</v></c><c r="B4" s="2"><v>45672.5</v></c><c r="C4" s="1"><v>1985</v></c>')).toEqual([
      { column: 1, kind: 'date', value: '2025-01-15', text: '2025-01-15', date: '2025-01-15', serial: 45672 },
      { column: 2, kind: 'date', value: '2025-01-15T12:00:00', text: '2025-01-15T12:00:00', date: '2025-01-15T12:00:00', serial: 45672.5 },
      { column: 3, kind: 'date', value: '1905-06-07', text: '1905-06-07', date: '1905-06-07', serial: 1985 },
    ])
  })

  it('hold dates of the 1904 system', async () => {
    const path = await saveWorkbook('1904.xlsx', {
      sheets: ['<sheetData><row><c s="1"><v>44210</v></c></row></sheetData>'],
      styles: STYLES,
      workbookPr: 'date1904="1"',
    })
    expect((await readOne(path)).at(1, 1)?.date).toBe('2025-01-15')
  })

  it('hold percents as a share, padded codes with their zeros, and no date for quoted letters', async () => {
    const cells = await cellsOf(
      '<c r="A4" s="3"><v>0.5</v></c><c r="B4" s="4"><v>1234</v></c><c r="C4" s="5"><v>21234567</v></c><c r="D4" s="6"><v>3</v></c>',
    )
    expect(cells).toEqual([
      { column: 1, kind: 'number', value: 0.5, text: '50%', percent: true },
      { column: 2, kind: 'number', value: 1234, text: '01234' },
      { column: 3, kind: 'number', value: 21_234_567, text: '02123-4567' },
      { column: 4, kind: 'number', value: 3, text: '3' },
    ])
  })

  it('are read without references and with prefixed element names', async () => {
    const [workbook, relations] = workbookParts({ sheets: [''] })
    if (!workbook || !relations) throw new Error('The fixture changed')
    const sheet =
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c/><x:c t="inlineStr"><x:is><x:t>c</x:t></x:is></x:c></x:row>' +
      "<x:row><x:c\n r = 'B2' t='str'><x:v>two</x:v></x:c></x:row></x:sheetData></x:worksheet>"
    const rest = workbookParts({ sheets: [] }).slice(2)
    const path = await save(
      'prefixed.xlsx',
      await zip([workbook, relations, ...rest, { name: 'xl/worksheets/sheet1.xml', content: sheet }]),
    )
    const read = await readOne(path)
    expect([read.at(1, 1)?.value, read.at(1, 3)?.value, read.at(2, 2)?.value]).toEqual([1, 'c', 'two'])
  })

  it('lose NUL characters and lone surrogates, which a database rejects', async () => {
    expect((await cellsOf('<c r="A4" t="str"><v>a&#0;b_x0000_c&#xD800;</v></c>'))?.[0]?.value).toBe('abc\ufffd')
  })
})

describe('formulas of a workbook', () => {
  it('are read with their stored result', async () => {
    expect(await cellsOf('<c r="A4"><f>SUM(B4:C4)</f><v>30</v></c><c r="B4" t="str"><f>A1&amp;"x"</f><v></v></c>')).toEqual([
      { column: 1, kind: 'formula', value: 30, text: '30', formula: 'SUM(B4:C4)' },
      { column: 2, kind: 'formula', value: '', text: '', formula: 'A1&"x"' },
    ])
  })

  it('without a stored result are evaluated from this row and those above, in any order', async () => {
    const cells = '<c r="A4"><f>B4+1</f><v/></c><c r="B4"><f>SUM(C4:D4)</f></c><c r="C4"><v>5</v></c><c r="D4" t="str"><v>n/a</v></c>'
    expect((await cellsOf(cells))?.slice(0, 2)).toEqual([
      { column: 1, kind: 'formula', value: 6, text: '6', formula: 'B4+1', computed: true },
      { column: 2, kind: 'formula', value: 5, text: '5', formula: 'SUM(C4:D4)', computed: true },
    ])
  })

  it('count numbers typed as text, and skip other text', async () => {
    const numbers = ['$1,234,567', '(500)', '1.5', ' 2 ', 'Included', '12,34', '-'].map(
      (text, at) => `<c r="${'BCDEFGH'[at]}4" t="str"><v>${text}</v></c>`,
    )
    expect((await cellsOf(`<c r="A4"><f>SUM(B4:H4)</f></c>${numbers.join('')}`))?.[0]?.value).toBe(1_234_567 - 500 + 1.5 + 2)
  })

  it('that need an unknown cell or another sheet have no value', async () => {
    const cells =
      '<c r="A4"><f>SUM(A5:A9)</f></c><c r="B4"><f>Rates!A1*2</f></c><c r="C4"><f>A4+1</f></c><c r="D4"><f>C4</f></c><c r="E4"><f>E4+1</f></c>'
    expect((await cellsOf(cells))?.map(({ value, formula }) => [value, formula])).toEqual([
      [null, 'SUM(A5:A9)'],
      [null, 'Rates!A1*2'],
      [null, 'A4+1'],
      [null, 'C4'],
      [null, 'E4+1'],
    ])
  })

  it('shared by several cells refer to the cells relative to each', async () => {
    const sheet =
      '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1"><f t="shared" ref="C1:C2" si="0">SUM(A1:B1)*$A$1</f></c></row>' +
      '<row r="2"><c r="A2"><v>10</v></c><c r="B2"><v>20</v></c><c r="C2"><f t="shared" si="0"/></c></row></sheetData>'
    const read = await readOne(await saveWorkbook('shared.xlsx', { sheets: [sheet] }))
    expect([read.at(1, 3)?.value, read.at(2, 3)?.formula, read.at(2, 3)?.value]).toEqual([3, 'SUM(A2:B2)*$A$1', 30])
  })
})

describe('sheets of a workbook', () => {
  it('are read with their merged cells, hidden rows and hidden state, without blank formatted rows', async () => {
    const sheet =
      '<dimension ref="A1:D9"/><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Title</t></is></c></row>' +
      '<row r="3" hidden="1"><c r="D3"><v>1</v></c></row><row r="4"><c r="A4" s="0"/></row></sheetData><mergeCells><mergeCell ref="A1:D2"/></mergeCells>'
    const path = await saveWorkbook('layout.xlsx', {
      sheets: [sheet, '<sheetData/>', '<sheetData/>'],
      sheetAttributes: ['', 'state="hidden"', 'state="veryHidden"'],
    })
    const { workbook, sheets } = await readAll(path)
    expect(workbook).toEqual({
      kind: 'xlsx',
      sheets: [
        { index: 0, name: 'Sheet1', hidden: false },
        { index: 1, name: 'Sheet2', hidden: true },
        { index: 2, name: 'Sheet3', hidden: true },
      ],
    })
    expect(sheets[0]?.rows.map(({ number, hidden }) => [number, hidden])).toEqual([
      [1, false],
      [3, true],
    ])
    expect(sheets[0]?.layout).toMatchObject({
      filledRows: 2,
      lastRow: 3,
      lastColumn: 4,
      merges: [{ top: 1, left: 1, bottom: 2, right: 4 }],
    })
  })
  it('finds the hidden columns, and the cells that refer to another sheet', async () => {
    const cells = '<c r="A1"><f>SOV!A1</f><v>5</v></c><c r="B1"><f>A1+1</f><v>6</v></c><c r="D1"><v>7</v></c>'
    const columns =
      '<cols><col min="1" max="1" width="9"/><col min="2" max="3" hidden="1"/><col min="301" max="16384" hidden="true"/></cols>'
    const path = await saveWorkbook('hidden.xlsx', { sheets: [`${columns}<sheetData><row r="1">${cells}</row></sheetData>`] })
    expect((await readOne(path)).layout).toMatchObject({ hiddenColumns: [2, 3], cells: 3, references: 1 })
  })

  it('are read only when requested', async () => {
    const numbered = (value: number) => `<sheetData><row><c><v>${value}</v></c></row></sheetData>`
    const path = await saveWorkbook('three.xlsx', { sheets: [numbered(1), numbered(2), numbered(3)] })
    const { sheets } = await readAll(path, { sheets: [1] })
    expect(sheets.map((sheet) => texts(sheet))).toEqual([undefined, [['2']]])
  })

  it('are rejected beyond 30', async () => {
    const path = await saveWorkbook('31.xlsx', { sheets: Array.from({ length: 31 }, () => '<sheetData/>') })
    await expect(readAll(path)).rejects.toMatchObject({ kind: 'too_large', message: expect.stringContaining('31 sheets') })
  })

  it('are rejected with a value beyond column 300, but not with formatting alone', async () => {
    const beyond = await saveWorkbook('wide.xlsx', { sheets: ['<sheetData><row r="12"><c r="KO12"><v>1</v></c></row></sheetData>'] })
    await expect(readAll(beyond)).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringMatching(/Row 12 .*column KO.*up to KN/),
    })
    const formatted = await saveWorkbook('wide.xlsx', { sheets: ['<sheetData><row r="12"><c r="XFD12" s="0"/></row></sheetData>'] })
    expect((await readOne(formatted)).rows).toEqual([])
  })
})

describe('struck rows', () => {
  const FONTS =
    '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts><dxfs><dxf><font><strike/></font></dxf></dxfs>' +
    '<cellStyleXfs><xf fontId="1"/></cellStyleXfs><cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs>'
  const row = (number: number, ...styles: number[]) =>
    `<row r="${number}">${styles.map((style, at) => `<c r="${'ABCDEFG'[at]}${number}" s="${style}"><v>1</v></c>`).join('')}</row>`
  const struckIn = async (...rows: string[]) => {
    const path = await saveWorkbook('struck.xlsx', { sheets: [`<sheetData>${rows.join('')}</sheetData>`], styles: FONTS })
    return (await readOne(path)).layout.struckRows
  }

  it('have a font that is struck through in most cells, or in the first three', async () => {
    expect(await struckIn(row(1, 0, 0), row(2, 1, 1, 1, 1), row(3, 1, 1, 1, 0, 0, 0, 0), row(4, 0, 1, 1, 1, 0), row(9, 1))).toEqual([
      2, 3, 4, 9,
    ])
  })

  it('are not rows with a single correction, or with a font that is not struck through', async () => {
    expect(await struckIn(row(1, 0, 1, 0, 0), row(2, 2, 2, 2), row(3, 1, 0))).toEqual([])
    expect((await readOne(await oneRow('<c r="A4" s="1"><v>1</v></c>'))).layout.struckRows).toEqual([])
  })

  it('are found in text cells, too', async () => {
    const cells = ['A', 'B'].map((column) => `<c r="${column}7" s="1" t="inlineStr"><is><t>x</t></is></c>`).join('')
    expect(await struckIn(`<row r="7">${cells}</row>`)).toEqual([7])
  })
})
