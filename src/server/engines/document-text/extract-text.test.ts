import { describe, expect, it } from 'vitest'
import { save, saveWorkbook, workbookParts, zip } from '../spreadsheet/spreadsheet.fixture.ts'
import { TEXT_PART_CHARACTERS, createPartCollector, splitText, type TextPart } from './collect-parts.ts'
import { email, paragraph, pdf, pdfBomb, read, word } from './document-text.fixture.ts'
import { outlook, outlookMessage } from './outlook-message.fixture.ts'
import { extractText } from './extract-text.ts'

const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const rows = (...values: string[]) => `<sheetData>${values.map((value) => `<row>${cell(value)}</row>`).join('')}</sheetData>`

describe('the text of a PDF', () => {
  it('is read by pages, and a page without text is counted', async () => {
    const found = await read('report.pdf', await pdf(['The roof was replaced.', '', 'Sprinklers throughout.']))
    expect(found.parts).toEqual([
      { page: 1, place: 'Page 1', text: 'The roof was replaced.' },
      { page: 3, place: 'Page 3', text: 'Sprinklers throughout.' },
    ])
    expect(found).toMatchObject({ state: 'done', pages: 3, pagesWithoutText: 1, is_cut: false })
  })

  it('is unknown for a scan, which has no text', async () => {
    expect(await read('scan.pdf', await pdf(['', '']))).toMatchObject({ state: 'no_text', pages: 2, parts: [] })
  })

  it('is unknown with a password', async () => {
    expect(await read('closed.pdf', await pdf(['Secret'], { userPassword: 'x' }))).toMatchObject({ state: 'encrypted', parts: [] })
  })

  it('is read if only changes need a password', async () => {
    expect(await read('open.pdf', await pdf(['Open'], { ownerPassword: 'x' }))).toMatchObject({ state: 'done' })
  })

  it('is unknown if the file is damaged', async () => {
    expect(await read('cut.pdf', '%PDF-1.7\nnothing')).toMatchObject({ state: 'failed', failure: 'damaged' })
  })
})

it('the text of a web page is read without its source', async () => {
  const page = '<!doctype html><script>const hidden = 1</script><h1>Roof survey</h1><p>The roof was <b>replaced</b> &amp; insured.</p>'
  const { texts, state } = await read('survey.html', page)
  expect([state, texts]).toEqual(['done', [['', expect.stringMatching(/^Roof survey\s+The roof was replaced & insured\.$/)]]])
})

describe('the text of a Word document', () => {
  it('has paragraphs, cells, notes and headers, without deleted text and fallbacks of drawings', async () => {
    const body = `${paragraph('Fire &amp; flood')}<w:tbl><w:tr><w:tc>${paragraph('TIV')}</w:tc><w:tc>${paragraph('1,250,000')}</w:tc></w:tr></w:tbl>
      <w:p><w:del><w:r><w:delText>Deleted</w:delText></w:r></w:del><w:r><mc:Choice>${'<w:t>Box</w:t>'}</mc:Choice><mc:Fallback><w:t>Box</w:t></mc:Fallback></w:r></w:p>`
    const found = await read('letter.docx', await word(body, { 'header1.xml': `<w:hdr>${paragraph('Confidential')}</w:hdr>` }))
    expect(found.texts).toEqual([
      ['', 'Fire & flood\nTIV\n| 1,250,000\n| Box'],
      ['Header', 'Confidential'],
    ])
    expect(found).toMatchObject({ state: 'done', pages: null })
  })

  it('has pages where Word stored them', async () => {
    const body = `${paragraph('First')}<w:p><w:r><w:lastRenderedPageBreak/><w:t>Second</w:t></w:r></w:p>`
    const found = await read('letter.docx', await word(body))
    expect(found.texts).toEqual([
      ['Page 1', 'First'],
      ['Page 2', 'Second'],
    ])
    expect(found.pages).toBe(2)
  })

  it('is unknown if the file is cut off, has a broken member or declares entities', async () => {
    const whole = await word(paragraph('Text'))
    for (const content of [
      whole.subarray(0, whole.length / 2),
      await zip([{ name: 'word/document.xml', content: '<w:p><w:t>Never' }]),
      await zip([{ name: 'word/document.xml', content: '<!DOCTYPE a [<!ENTITY b "c">]><w:p><w:t>&b;</w:t></w:p>' }]),
    ])
      expect(await read('broken.docx', content)).toMatchObject({ state: 'failed', failure: 'damaged' })
  })

  it('is too large, as its preview says, and not unpacked if the file is a bomb', async () => {
    const bomb = await zip([{ name: 'word/document.xml', content: `<a>${' '.repeat(30 * 1024 ** 2)}</a>` }])
    expect(await read('bomb.docx', bomb)).toMatchObject({ state: 'failed', failure: 'too_large' })
  })
})

describe('the text of a workbook', () => {
  it('has each sheet by its name, hidden ones too, and macros are no text', async () => {
    const parts = workbookParts({ sheets: [rows('Harbor Mills', '1250000'), rows('Hidden note')], sheetAttributes: ['', 'state="hidden"'] })
    const macro = await zip([...parts, { name: 'xl/vbaProject.bin', content: 'Sub AutoOpen()' }])
    const found = await read('values.xlsm', macro)
    expect(found.texts).toEqual([
      ['Sheet Sheet1', 'Harbor Mills\n1250000'],
      ['Sheet Sheet2', 'Hidden note'],
    ])
    expect(found).toMatchObject({ state: 'done', pages: 2 })
  })

  it('is not unpacked if the file is a bomb', async () => {
    const path = await saveWorkbook('bomb.xlsx', { sheets: [`<sheetData>${' '.repeat(30 * 1024 ** 2)}</sheetData>`] })
    expect(await extractText({ path, name: 'bomb.xlsx' })).toMatchObject({ state: 'failed', parts: [] })
  })

  it('is the cells of delimited text with any delimiter', async () => {
    expect((await read('list.csv', 'Name;City\nMill;Austin\n')).texts).toEqual([['', 'Name | City\nMill | Austin']])
  })
})

describe('the text of a message', () => {
  it('has the subject, the people, the names of attachments and the texts of those that can be read', async () => {
    const attached = [
      { name: 'report.pdf', bytes: await pdf(['Roof']) },
      { name: 'broken.docx', bytes: Buffer.from('PK\x03\x04 nothing') },
      { name: 'values.xlsx', bytes: await zip(workbookParts({ sheets: [rows('Mill 7')] })) },
    ]
    const { texts } = await read('renewal.eml', email('Please find the values.', attached))
    expect(texts).toEqual([
      ['Message', 'Renewal of Harbor Mills\nDana Whitfield dana@broker.example, Underwriting uw@carrier.example\nPlease find the values.'],
      ['Message', 'report.pdf'],
      ['Attachment report.pdf, page 1', 'Roof'],
      ['Message', 'broken.docx'],
      ['Message', 'values.xlsx'],
      ['Attachment values.xlsx, Sheet Sheet1', 'Mill 7'],
    ])
  })

  it('says which attachments have no text, and why', async () => {
    const attached = [
      { name: 'plan.pdf', bytes: await pdf(['Roof'], { userPassword: 'secret' }) },
      { name: 'scan.pdf', bytes: await pdf(['']) },
      { name: 'broken.docx', bytes: Buffer.from('PK\x03\x04 nothing') },
      { name: 'zeros.pdf', bytes: Buffer.alloc(100) },
      { name: 'clip.bin', bytes: Buffer.alloc(100) },
      { name: 'note.txt', bytes: Buffer.from('Mill 9') },
    ]
    expect((await read('renewal.eml', email('Please find the plans.', attached))).unreadAttachments).toEqual([
      { name: 'plan.pdf', reason: 'encrypted' },
      { name: 'scan.pdf', reason: 'no_text' },
      { name: 'broken.docx', reason: 'damaged' },
      { name: 'zeros.pdf', reason: 'damaged' },
      { name: 'clip.bin', reason: 'not_supported' },
    ])
  })

  it('has the names of attachments without characters that change the reading direction', async () => {
    const { texts } = await read('renewal.eml', email('See below.', [{ name: 'invoice\u202Etxt.exe', bytes: Buffer.from('Mill 9') }]))
    expect(texts.slice(1)).toEqual([
      ['Message', 'invoicetxt.exe'],
      ['Attachment invoicetxt.exe', 'Mill 9'],
    ])
  })

  it.each([
    ['an empty text', ' ', 'The roof was replaced in 2019'],
    ['a short text', 'This message needs a viewer.', 'This message needs a viewer. The roof was replaced in 2019'],
    ['the same text', 'The roof was\r\nreplaced in 2019', 'The roof was replaced in 2019'],
  ])('has what only its HTML part says, with %s as its other part', async (_, plain, whole) => {
    const html = '<p>This message needs a viewer.</p><p>The roof was <b>replaced</b> in 2019</p>'
    const parts = [
      ['plain', plain],
      ['html', plain.startsWith('The roof') ? html.slice(html.indexOf('<p>The')) : html],
    ]
    const body = parts.map(([type, text]) => `--part\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${text}\r\n`).join('')
    const head = 'From: a@b.example\r\nSubject: Roof\r\nContent-Type: multipart/alternative; boundary=part\r\n\r\n'
    const { texts } = await read('renewal.eml', `${head}${body}--part--\r\n`)
    const words = texts
      .map(([, text]) => text)
      .join(' ')
      .replace(/\s+/g, ' ')
    expect(words).toContain(whole)
    expect(words.match(/replaced/g)).toHaveLength(1)
  })

  it('is read from HTML without its tags and scripts', async () => {
    const { texts } = await read('renewal.eml', email('<p>The <b>roof</b></p><script>alert(1)</script>', [], 'text/html'))
    expect(texts[0]?.[1]).toContain('The roof')
    expect(texts[0]?.[1]).not.toMatch(/<|alert/)
  })

  it('is read from Outlook with its attachments', async () => {
    const { texts, state } = await read(
      'renewal.msg',
      outlook('Renewal', 'The values', [{ name: 'note.txt', bytes: Buffer.from('Mill 9') }]),
    )
    expect(state).toBe('done')
    expect(texts).toEqual([
      ['Message', expect.stringMatching(/^Renewal\n(.*\n)?The values$/)],
      ['Message', 'note.txt'],
      ['Attachment note.txt', 'Mill 9'],
    ])
  })

  it('is read from an Outlook message with formatted text, people, names in Unicode and a message in it', async () => {
    const message = outlookMessage({
      subject: 'Übersicht – 東京',
      html: '<p>The caf\xe9 is <b>insured</b></p>',
      to: [{ name: 'Zoë Müller', email: 'zoe@broker.example' }],
      attached: [{ name: 'Dächer 東京.txt', bytes: Buffer.from('Mill 9') }],
      messages: [{ subject: 'Former message', text: 'The old values', attached: [{ name: 'old.txt', bytes: Buffer.from('Old') }] }],
    })
    const { texts, state, unreadAttachments } = await read('renewal.msg', message)
    expect(state).toBe('done')
    expect(texts[0]?.[1]).toContain('Übersicht – 東京')
    expect(texts[0]?.[1]).toContain('Zoë Müller zoe@broker.example')
    expect(texts[0]?.[1]).toContain('The café is insured')
    expect(texts.slice(1)).toEqual([
      ['Message', 'Dächer 東京.txt'],
      ['Attachment Dächer 東京.txt', 'Mill 9'],
      ['Message', 'Former message'],
      ['Attachment Former message', expect.stringMatching(/^Former message\n(.*\n)?The old values$/)],
      ['Attachment Former message', 'old.txt'],
      ['Attachment Former message, Attachment old.txt', 'Old'],
    ])
    expect(unreadAttachments).toEqual([])
  })

  it('is read from an Outlook message that has formatted text of Outlook only', async () => {
    // The first example of [MS-OXRTFCP] section 3.
    const rtf = '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0'
    const { texts } = await read('renewal.msg', outlookMessage({ subject: 'Renewal', rtf: Buffer.from(rtf, 'hex') }))
    expect(texts[0]?.[1]).toContain('hello world')
  })

  it('of a hostile Outlook file ends in a known state', async () => {
    const whole = outlook('Renewal', 'The values')
    // The table of sectors, the directory and the properties, with numbers that point anywhere or to themselves.
    for (const at of [48, 76, 512, 1_024, 1_536]) {
      const content = Buffer.from(whole)
      for (let place = at; place < Math.min(at + 256, content.length - 4); place += 4) content.writeUInt32LE(place % 8 === 0 ? 1 : 0, place)
      const path = await save(`hostile-${at}.msg`, content)
      const { state } = await extractText({ path, name: 'hostile.msg' }, { timeMs: 3_000 })
      expect(['done', 'failed', 'no_text', 'not_supported'], String(at)).toContain(state)
    }
  }, 60_000)
})

describe('a file that is not what its name says', () => {
  it.each(['plan.pdf', 'plan.docx', 'plan.xlsx', 'plan.msg', 'plan.eml'])('is damaged, as its preview says: %s', async (name) => {
    expect(await read(name, Buffer.alloc(500))).toMatchObject({ state: 'failed', failure: 'damaged' })
  })

  it('is damaged if it is a text in which a parser finds headers', async () => {
    expect(await read('note.eml', 'Note to self: call the broker\n'.repeat(20))).toMatchObject({ state: 'failed', failure: 'damaged' })
  })

  it('is damaged if it is a container without a message', async () => {
    const container = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(6_000, 7)])
    expect(await read('plan.msg', container)).toMatchObject({ state: 'failed', failure: 'damaged' })
    expect(await read('plan.doc', container)).toMatchObject({ state: 'not_supported' })
  })

  it('is damaged if it is an archive of something else', async () => {
    expect(await read('plan.docx', await zip([{ name: 'a.txt', content: 'x' }]))).toMatchObject({ state: 'failed', failure: 'damaged' })
  })

  it('is damaged if it is no message', async () => {
    expect(await read('plan.eml', '\r\nHello')).toMatchObject({ state: 'failed', failure: 'damaged' })
  })
})

describe('the text of other files', () => {
  it('is read in any usual encoding', async () => {
    expect((await read('a.txt', Buffer.from('Café\r\n', 'latin1'))).texts).toEqual([['', 'Café']])
    expect((await read('b.txt', Buffer.from('\ufeffCafé', 'utf16le'))).texts).toEqual([['', 'Café']])
  })

  it.each([
    ['a photo', Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2])],
    ['an archive', Buffer.from('PK\x05\x06', 'latin1')],
    ['an old Office file', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)])],
  ])('is not supported for %s', async (_, content) => {
    expect(await read('file', content)).toMatchObject({ state: 'not_supported', parts: [] })
  })

  it('is missing for an empty file', async () => {
    expect(await read('empty.txt', '')).toMatchObject({ state: 'no_text' })
  })
})

describe('a document that takes too much', () => {
  it('time is ended, and what was read is its text, marked as cut', async () => {
    const path = await save('long.pdf', await pdf(Array.from({ length: 400 }, (_, at) => `Page ${at + 1} with a roof`)))
    const begun = performance.now()
    expect(await extractText({ path, name: 'long.pdf' })).toMatchObject({ state: 'done', pages: 400, is_cut: false })
    const wholeMs = performance.now() - begun
    const withTime = (timeMs: number) => extractText({ path, name: 'long.pdf' }, { timeMs })
    expect(await withTime(wholeMs * 0.001)).toMatchObject({ state: 'failed', failure: 'too_slow', parts: [] })
    // How fast a run is depends on the machine, so the limit is moved until it is within the reading.
    let timeMs = wholeMs * 0.8
    let found = await withTime(timeMs)
    for (let attempt = 0; attempt < 30 && (found.parts.length === 0 || !found.is_cut); attempt += 1) {
      timeMs *= found.parts.length === 0 ? 1.15 : 0.9
      found = await withTime(timeMs)
    }
    expect(found).toMatchObject({ state: 'done', failure: null, is_cut: true })
    expect(found.parts.length).toBeLessThan(400)
  }, 120_000)

  it('memory of the heap is ended', async () => {
    const path = await save('heavy.pdf', await pdf(['Roof']))
    expect(await extractText({ path, name: 'heavy.pdf' }, { memoryMb: 12 })).toMatchObject({ state: 'failed', failure: 'too_large' })
  }, 30_000)

  it('memory outside the heap is ended', async () => {
    const path = await save('bomb.pdf', pdfBomb(400))
    const found = await extractText({ path, name: 'bomb.pdf' }, { growthMb: 150 })
    expect(found.state === 'failed' || found.is_cut).toBe(true)
  }, 60_000)

  it('is not called damaged if no process can be started', async () => {
    const path = await save('waiting.txt', 'Roof')
    const { execPath } = process
    process.execPath = '/nowhere/node'
    try {
      await expect(extractText({ path, name: 'waiting.txt' })).rejects.toMatchObject({ code: 'ENOENT' })
    } finally {
      process.execPath = execPath
    }
  })

  it('is stopped at shutdown', async () => {
    const path = await save('stopped.txt', 'Roof')
    await expect(extractText({ path, name: 'stopped.txt' }, { signal: AbortSignal.abort() })).rejects.toThrow('Stopped')
  })
})

describe('parts of a long text', () => {
  it('end at the end of a line and lose nothing', () => {
    const line = 'The roof of building 12 was replaced.\n'
    const text = line.repeat(2_000)
    const parts = [...splitText(text)]
    expect(parts.join('')).toBe(text)
    expect(parts.every((part) => part.length <= TEXT_PART_CHARACTERS && part.endsWith('.\n'))).toBe(true)
    expect([...splitText('x'.repeat(TEXT_PART_CHARACTERS + 1))].map(({ length }) => length)).toEqual([TEXT_PART_CHARACTERS, 1])
  })

  it('store nothing that a database rejects, and names of a limited length', () => {
    const parts: TextPart[] = []
    createPartCollector((part) => parts.push(part)).add({ page: null, place: `Sheet ${'x'.repeat(500)}`, text: 'a\0b\ud800  c\r\n\r\nd' })
    expect(parts).toEqual([{ page: null, place: expect.stringMatching(/^Sheet x{194}$/), text: 'ab\ufffd c\nd' }])
  })
})
