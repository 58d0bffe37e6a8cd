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
}
const write = (more: Partial<DocumentData> = {}) => buffer(writeDocument({ ...DATA, ...more }))

describe('a Word document', () => {
  it('carries its date and id', async () => {
    const file = await write()
    expect(await partOfWord(file, 'docProps/core.xml')).toContain('2026-03-05T02:00:00Z</dcterms:created>')
    expect(await partOfWord(file, 'docProps/custom.xml')).toContain('name="Document ID"><vt:lpwstr>a-b<')
    expect(await partOfWord(file, '_rels/.rels')).toContain('Target="docProps/custom.xml"')
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
})
