import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { partOfWord, rowsOfWord } from './word.fixture.ts'
import { PAGE_WIDTH, writeDocument, type DocumentData } from './write-document.ts'

const DATA: DocumentData = {
  title: 'Cascadia <Portfolio>',
  subtitles: ['Disclosed Document List', 'Generated 03/05/2026'],
  columns: [
    { header: 'Name', width: PAGE_WIDTH - 2_000 },
    { header: 'Date', width: 2_000 },
  ],
  groups: [
    { heading: '1 Main St', rows: [['roof.pdf', '01/02/2026']] },
    { heading: '2 Oak Ave', rows: [['lease.pdf', '']] },
  ],
  closing: '2 documents',
  footer: 'Cascadia',
  properties: {
    title: 'Disclosed Document List',
    creator: 'Plumbline',
    createdAt: new Date('2026-03-05T02:00:00Z'),
    custom: [['Document ID', 'a-b']],
  },
  manifest: {},
}
const write = (more: Partial<DocumentData> = {}) => buffer(writeDocument({ ...DATA, ...more }))

describe('a Word document', () => {
  it('carries its date and id', async () => {
    const file = await write()
    expect(await partOfWord(file, 'docProps/core.xml')).toContain('2026-03-05T02:00:00Z</dcterms:created>')
    expect(await partOfWord(file, 'docProps/custom.xml')).toContain('name="Document ID"><vt:lpwstr>a-b<')
    expect(await partOfWord(file, '_rels/.rels')).toContain('Target="docProps/custom.xml"')
  })

  it('carries its manifest as custom XML with JSON, with all characters of names', async () => {
    const manifest = { documents: [{ path: 'a<b>&"c"_x000D_\r\n\u0000\uffff\ud800]]>.pdf' }] }
    const file = await write({ manifest })
    const xml = await partOfWord(file, 'customXml/item1.xml')
    const json = /<manifest xmlns="urn:package-manifest:1">([^<&\uffff]*)<\/manifest>$/.exec(xml)?.[1]
    expect(JSON.parse(json ?? '')).toEqual(manifest)
    expect(await partOfWord(file, 'word/_rels/document.xml.rels')).toContain('/customXml" Target="../customXml/item1.xml"')
  })

  it('is in landscape, with the header row repeated on each page and no row divided', async () => {
    const xml = await partOfWord(await write())
    expect(xml).toContain('<w:pgSz w:w="15840" w:h="12240" w:orient="landscape"/>')
    expect(xml.match(/<w:tblHeader\/>/g)).toHaveLength(1)
    expect(xml.indexOf('<w:tblHeader/>')).toBeLessThan(xml.indexOf('Name'))
    expect(xml.match(/<w:cantSplit\/>/g)).toHaveLength(5)
  })

  it('has a heading above the rows of each group', async () => {
    expect(await rowsOfWord(await write())).toEqual([
      ['Name', 'Date'],
      ['1 Main St'],
      ['roof.pdf', '01/02/2026'],
      ['2 Oak Ave'],
      ['lease.pdf', ''],
    ])
  })

  it('has page X of Y in the footer', async () => {
    const footer = await partOfWord(await write(), 'word/footer1.xml')
    expect(footer.match(/w:instr=" \w+ "|Page | of /g)).toEqual(['Page ', 'w:instr=" PAGE "', ' of ', 'w:instr=" NUMPAGES "'])
  })

  it('holds markup, line breaks and characters that XML forbids as text', async () => {
    const rows = await rowsOfWord(await write({ groups: [{ heading: '&', rows: [['a<b>&"c"\nd\u0000\u0007\ud800', '_x000D_']] }] }))
    expect(rows.slice(1)).toEqual([['&amp;'], ['a&lt;b&gt;&amp;"c" / d\ufffd', '_x000D_']])
  })

  it('is the same file for the same text', async () => {
    expect((await write()).equals(await write())).toBe(true)
  })

  it('has the same size and weight for Hebrew and Arabic text', async () => {
    const styles = await partOfWord(await write(), 'word/styles.xml')
    expect([...styles.matchAll(/<w:sz w:val="(\d+)"\/>/g)].map(([, size]) => size)).toEqual(
      [...styles.matchAll(/<w:szCs w:val="(\d+)"\/>/g)].map(([, size]) => size),
    )
    expect(styles.match(/<w:b\/>/g)).toHaveLength(styles.match(/<w:b\/><w:bCs\/>/g)?.length ?? 0)
  })

  it.each([
    ['an address from right to left', 'רחוב הרצל 12, תל אביב, IL 61000', true, ['<רחוב הרצל 12, תל אביב, >', 'IL 61000']],
    ['Arabic with numbers', 'شارع 5, 12', true, ['<شارع 5, 12>']],
    ['a name in a text from left to right', 'Mill מחסן 12, Reno', false, ['Mill ', '<מחסן 12>', ', Reno']],
    ['a number before a name', '12 Oak St, Reno', false, ['12 Oak St, Reno']],
  ])('has the reading order of %s', async (_what, text, isRightToLeft, expected) => {
    const xml = await partOfWord(await write({ groups: [{ heading: '', rows: [[text, '']] }] }))
    const cell = xml.split('<w:tc>').at(-2) ?? ''
    const found = [...cell.matchAll(/<w:r>(<w:rPr><w:rtl\/><\/w:rPr>)?<w:t [^>]*>([^<]*)</g)]
    expect(found.map(([, rtl, part]) => (rtl === undefined ? part : `<${part}>`))).toEqual(expected)
    expect(cell.includes('<w:pStyle w:val="Cell"/><w:bidi/>')).toBe(isRightToLeft)
  })

  it('has lines of different directions in paragraphs of their own', async () => {
    const xml = await partOfWord(await write({ groups: [{ heading: '', rows: [['1 Oak St\n2 Oak St\nהרצל 12', '']] }] }))
    const cell = xml.split('<w:tc>').at(-2) ?? ''
    expect([cell.match(/<w:p>/g)?.length, cell.match(/<w:br\/>/g)?.length]).toEqual([2, 1])
  })
})
