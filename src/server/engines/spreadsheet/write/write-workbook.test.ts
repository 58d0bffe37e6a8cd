import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { manifestIn } from '#server/engines/packages/manifest.fixture.ts'
import { decodeMember, openZip } from '../read/zip-reader.ts'
import { readAll, readOne, save, texts } from '../spreadsheet.fixture.ts'
import type { SheetColumn, SheetValue } from './cell-xml.ts'
import { type SheetData, writeWorkbook } from './write-workbook.ts'
import { testNeeding } from '#server/testing/needs.ts'

const column = (header: string, kind: SheetColumn['kind'] = 'text', total = false): SheetColumn => ({ header, kind, width: 12, total })
const write = async (...sheets: SheetData[]) => save('written.xlsx', await buffer(writeWorkbook({ sheets })))
const sheetOf = (columns: SheetColumn[], rows: SheetValue[][], rest: Partial<SheetData> = {}): SheetData => ({
  name: 'Properties',
  columns,
  rows,
  ...rest,
})

async function partOf(path: string, name: string): Promise<string> {
  const zip = await openZip(path)
  let text = ''
  for await (const chunk of decodeMember(zip, name)) text += chunk
  zip.close()
  return text
}

describe('a written workbook', () => {
  it('has texts of digits as numbers in a column of digits, with their sum, and no cell for other texts', async () => {
    const digits = { ...column('Value', 'money', true), digits: true }
    const path = await write(
      sheetOf(
        [column('Name'), digits],
        [
          ['a', '-1.5'],
          ['b', '1e+3'],
          ['c', 'NaN'],
          ['d', 2],
          ['e', null],
        ],
        { totals: 'Total' },
      ),
    )
    const cells = (await readOne(path)).rows.map((row) => row.cells.at(1))
    expect(cells.map((cell) => cell && [cell.kind, cell.value])).toEqual([
      ['text', 'Value'],
      ['number', -1.5],
      ['number', 1_000],
      undefined,
      ['number', 2],
      undefined,
      ['formula', 1_000.5],
    ])
  })

  it('reads back with every kind of value', async () => {
    const columns = [
      column('Name'),
      column('Area', 'number'),
      column('Building', 'money'),
      column('Valued', 'date'),
      column('Share', 'percent'),
      column('Open'),
    ]
    const path = await write(sheetOf(columns, [['Café & <Co>\nsecond line', 24_039.5, 1_000_000, '2025-01-15', 0.5, true]]))
    expect((await readOne(path)).rows[1]?.cells).toEqual([
      { column: 1, kind: 'text', value: 'Café & <Co>\nsecond line', text: 'Café & <Co>\nsecond line' },
      { column: 2, kind: 'number', value: 24_039.5, text: '24039.5' },
      { column: 3, kind: 'number', value: 1_000_000, text: '1000000' },
      { column: 4, kind: 'date', value: '2025-01-15', text: '2025-01-15', date: '2025-01-15', serial: 45_672 },
      { column: 5, kind: 'number', value: 0.5, text: '50.00%', percent: true },
      { column: 6, kind: 'boolean', value: true, text: 'TRUE' },
    ])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', "=cmd|' /C calc'!A0"])('holds %j as text, never as a formula', async (text) => {
    const sheet = await readOne(await write(sheetOf([column('Name'), column('Value', 'money')], [[text, text]])))
    expect(sheet.rows[1]?.cells.map(({ kind, value }) => [kind, value])).toEqual([
      ['text', text],
      ['text', text],
    ])
  })

  it('preserves text that looks like markup, escapes or dates', async () => {
    const values = ['_x000D_', 'a\rb', '&amp;', '  blank  ', '2025-01-15', '01234', '\ud83c\udfe2']
    const sheet = await readOne(
      await write(
        sheetOf(
          [column('Name')],
          values.map((value) => [value]),
        ),
      ),
    )
    expect(texts(sheet).slice(1)).toEqual(values.map((value) => [value]))
  })

  it('drops characters that XML cannot hold and cuts text at the length of a cell', async () => {
    const sheet = await readOne(await write(sheetOf([column('Name')], [['a\0b\u0007c\ud800'], ['x'.repeat(40_000)]])))
    expect(sheet.at(2, 1)?.value).toBe('abc\ufffd')
    expect(sheet.at(3, 1)?.text.length).toBe(32_767)
  })

  it('leaves out empty cells and infinite numbers, and holds invalid dates as text', async () => {
    const sheet = await readOne(
      await write(
        sheetOf(
          [column('A'), column('B', 'date'), column('C', 'money')],
          [
            [null, 'Unknown', Number.NaN],
            ['', '1850-01-01', undefined],
          ],
        ),
      ),
    )
    expect(texts(sheet).slice(1)).toEqual([['Unknown'], ['1850-01-01']])
  })

  it('ends with sums that are formulas with their result', async () => {
    const columns = [column('Name'), column('Building', 'money', true), column('Year', 'number')]
    const sheet = await readOne(
      await write(
        sheetOf(
          columns,
          [
            ['a', 100, 1985],
            ['b', 250, 1990],
          ],
          { totals: 'Total' },
        ),
      ),
    )
    expect(sheet.rows[3]?.cells).toEqual([
      { column: 1, kind: 'text', value: 'Total', text: 'Total' },
      { column: 2, kind: 'formula', value: 350, text: '350', formula: 'SUM(B2:B3)' },
    ])
  })

  it('ends with a row of sums for each currency', async () => {
    const columns = [column('Name'), column('Building', 'money', true), column('Currency')]
    const rows = [
      ['a', 100, 'USD'],
      ['b', 250, 'CAD'],
      ['c', 50, 'USD'],
    ]
    const sheet = await readOne(await write(sheetOf(columns, rows, { totals: 'Total', totalsBy: 2 })))
    expect(sheet.rows.slice(4).map(({ cells }) => cells.map(({ value }) => value))).toEqual([
      ['Total CAD', 250],
      ['Total USD', 150],
    ])
    expect(sheet.at(6, 2)).toMatchObject({ kind: 'formula', formula: 'SUMIF($C$2:$C$4,"USD",B2:B4)' })
    const one = await readOne(await write(sheetOf(columns, rows.slice(0, 1), { totals: 'Total', totalsBy: 2 })))
    expect(one.at(3, 2)).toMatchObject({ kind: 'formula', formula: 'SUM(B2:B2)' })
  })

  it('freezes and filters the header, with the totals row outside of the filter', async () => {
    const path = await write(
      sheetOf([column('A'), column('B', 'money', true)], [['x', 1]], { totals: 'Total', frozenHeader: true, autoFilter: true }),
    )
    const xml = await partOf(path, 'xl/worksheets/sheet1.xml')
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(xml).toContain('<autoFilter ref="A1:B2"/>')
  })

  it('prints few columns in landscape on pages as wide as the sheet, each with the header row', async () => {
    const path = await write(
      sheetOf([column('A')], [['x']], { autoFilter: true }),
      sheetOf([column('File', 'link')], [[{ text: 'open', href: 'a.pdf' }]], { name: "Oak's & Elm" }),
    )
    const sheet = await partOf(path, 'xl/worksheets/sheet2.xml')
    // Excel repairs a sheet whose elements are in another order.
    expect([...sheet.matchAll(/<(sheetPr|sheetViews|sheetData|hyperlinks|pageMargins|pageSetup)[ >]/g)].map(([, name]) => name)).toEqual([
      'sheetPr',
      'sheetViews',
      'sheetData',
      'hyperlinks',
      'pageMargins',
      'pageSetup',
    ])
    expect(sheet).toContain('<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>')
    expect(sheet).toContain('<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/>')
    const titles = [...(await partOf(path, 'xl/workbook.xml')).matchAll(/Print_Titles" localSheetId="(\d)">([^<]*)</g)]
    expect(titles.map(([, at, range]) => [at, range])).toEqual([
      ['0', "'Properties'!$1:$1"],
      ['1', "'Oak''s &amp; Elm'!$1:$1"],
    ])
  })

  it('prints many columns over several pages, each with the first columns', async () => {
    const columns = Array.from({ length: 35 }, (_, at) => ({ ...column(`Column ${at + 1}`), width: 14 }))
    const path = await write(sheetOf(columns, [['x']]))
    expect(await partOf(path, 'xl/worksheets/sheet1.xml')).toContain('<pageSetup orientation="landscape" fitToWidth="3" fitToHeight="0"/>')
    expect(await partOf(path, 'xl/workbook.xml')).toContain(">'Properties'!$A:$D,'Properties'!$1:$1</definedName>")
  })

  it('links to web addresses and relative files, never to scripts or other places on the disk', async () => {
    const hrefs = [
      'https://example.com/a?b=1&c=2',
      'Properties/001/a b.pdf',
      '20 Other/_x0041_.txt',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '\\\\server\\share',
      '../outside.pdf',
    ]
    const path = await write(
      sheetOf(
        [column('File', 'link')],
        hrefs.map((href) => [{ text: 'open', href }]),
      ),
    )
    const relations = await partOf(path, 'xl/worksheets/_rels/sheet1.xml.rels')
    expect([...relations.matchAll(/Target="([^"]*)"/g)].map(([, target]) => target)).toEqual([
      'https://example.com/a?b=1&amp;c=2',
      'Properties/001/a%20b.pdf',
      '20%20Other/%5Fx0041_.txt',
    ])
    expect(texts(await readOne(path)).slice(1)).toEqual(hrefs.map(() => ['open']))
  })

  it('holds several sheets with names that Excel accepts', async () => {
    const names = ['Properties: 2025/26', 'x'.repeat(40), 'x'.repeat(40), '', "'quoted'"]
    const { workbook } = await readAll(await write(...names.map((name) => sheetOf([column('A')], [], { name }))))
    expect(workbook.sheets.map(({ name }) => name)).toEqual([
      'Properties- 2025-26',
      'x'.repeat(31),
      `${'x'.repeat(26)} (2)`,
      'Sheet4',
      'quoted',
    ])
  })

  it('fails when its row source fails', async () => {
    async function* rows() {
      yield [['a']]
      throw new Error('The database went away')
    }
    await expect(buffer(writeWorkbook({ sheets: [{ name: 'A', columns: [column('A')], rows: rows() }] }))).rejects.toThrow(
      'The database went away',
    )
  })

  it('requests no more rows than its reader needs', async () => {
    let requested = 0
    function* rows() {
      for (; requested < 20_000; requested++) yield [randomBytes(500).toString('hex')]
    }
    const stream = writeWorkbook({ sheets: [{ name: 'A', columns: [column('A')], rows: rows() }] })
    stream.read(0)
    await expect.poll(() => requested, { timeout: 5_000 }).toBeGreaterThan(0)
    await pause(200)
    expect(requested).toBeLessThan(2_000)
    stream.destroy()
  })

  it('has the same bytes for the same rows', async () => {
    const once = () => buffer(writeWorkbook({ sheets: [sheetOf([column('A')], [['x']])] }))
    expect(await once()).toEqual(await once())
  })

  testNeeding('unzip')('passes the check of unzip', async () => {
    const path = await write(
      sheetOf(
        [column('A')],
        Array.from({ length: 5_000 }, (_, at) => [`row ${at}`]),
      ),
    )
    expect(execFileSync('unzip', ['-tq', path], { encoding: 'utf8' })).toContain('No errors')
  })
})

it('a workbook carries the rows and the checksum of each sheet, and another checksum for other values', async () => {
  const bytesOf = (value: string) =>
    buffer(
      writeWorkbook({
        sheets: [sheetOf([column('A', 'number', true)], [[1], [2]], { totals: 'Total' }), sheetOf([column('A')], [[value]])],
        manifest: (sheets) => ({ sheets }),
      }),
    )
  const [one, other] = [await bytesOf('x'), await bytesOf('y')]
  const path = await save('listed.xlsx', one)
  const xml = [await partOf(path, 'xl/worksheets/sheet1.xml'), await partOf(path, 'xl/worksheets/sheet2.xml')]
  const [first, second] = xml.map((text) => createHash('sha256').update(text).digest('hex'))
  expect(await manifestIn(one)).toEqual({
    sheets: [
      { name: 'Properties', rows: 2, sha256: first },
      { name: 'Properties (2)', rows: 1, sha256: second },
    ],
  })
  const { sheets } = await manifestIn(other)
  expect([sheets[0].sha256 === first, sheets[1].sha256 === second]).toEqual([true, false])
  expect(await partOf(path, 'xl/_rels/workbook.xml.rels')).toContain('Id="rId4" Type="http')
  expect((await readAll(path)).sheets).toHaveLength(2)
})

it('a workbook carries its properties, and reads back with them', async () => {
  const properties = {
    title: 'Properties <of> A & B',
    creator: 'Plumbline',
    createdAt: new Date('2026-03-04T05:06:07.890Z'),
    custom: [['Document ID', 'a-b "c"']] as const,
  }
  const sheet = sheetOf([column('Name')], [['Hall']])
  const path = await save('described.xlsx', await buffer(writeWorkbook({ sheets: [sheet], properties })))
  expect((await readOne(path)).rows).toHaveLength(2)
  const core = await partOf(path, 'docProps/core.xml')
  expect(core).toContain('<dc:title>Properties &lt;of&gt; A &amp; B</dc:title><dc:creator>Plumbline</dc:creator>')
  expect(core).toContain('<dcterms:created xsi:type="dcterms:W3CDTF">2026-03-04T05:06:07Z</dcterms:created>')
  expect(await partOf(path, 'docProps/custom.xml')).toContain('pid="2" name="Document ID"><vt:lpwstr>a-b &quot;c&quot;</vt:lpwstr>')
  for (const name of ['core', 'custom']) {
    expect(await partOf(path, '[Content_Types].xml')).toContain(`PartName="/docProps/${name}.xml"`)
    expect(await partOf(path, '_rels/.rels')).toContain(`Target="docProps/${name}.xml"`)
  }
})
