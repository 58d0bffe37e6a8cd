import { describe, expect, it } from 'vitest'
import { readAll, save, saveWorkbook, workbookParts, zip } from '../spreadsheet.fixture.ts'
import { detectFileType } from './open-workbook.ts'

const EMPTY_SHEET = '<sheetData/>'

/** A compound file with one FAT sector and one directory sector holding the given stream names. */
function oleFile(...names: string[]): Buffer {
  const file = Buffer.alloc(512 * 3)
  file.writeUInt32BE(0xd0_cf_11_e0, 0)
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(1, 48)
  file.fill(0xff, 76, 512)
  file.writeUInt32LE(0, 76)
  file.fill(0xff, 512, 1024)
  file.writeUInt32LE(0xff_ff_ff_fe, 512 + 4)
  for (const [at, name] of ['Root Entry', ...names].entries()) {
    file.write(name, 1024 + at * 128, 'utf16le')
    file.writeUInt16LE(name.length * 2 + 2, 1024 + at * 128 + 64)
  }
  return file
}

const appError = (kind: string, message: RegExp) =>
  expect.objectContaining({ name: 'AppError', kind, message: expect.stringMatching(message) })

describe('detectFileType ignores the file name and', () => {
  it('detects a workbook', async () => {
    expect(await detectFileType(await saveWorkbook('values.csv', { sheets: [EMPTY_SHEET] }))).toBe('xlsx')
  })

  it.each(['a,b\n1,2\n', 'a;b\r1;2', 'just words', '\ufeffName\tZIP', 'PK,Name\n1,a', 'BM,Value\n1,2'])(
    'detects text: %j',
    async (text) => {
      expect(await detectFileType(await save('values.xlsx', text))).toBe('csv')
    },
  )

  it('detects text in UTF-16 with and without byte order mark', async () => {
    expect(await detectFileType(await save('wide.csv', Buffer.from('\ufeffName,City\n', 'utf16le')))).toBe('csv')
    expect(await detectFileType(await save('wide.csv', Buffer.from('Name,City\n', 'utf16le')))).toBe('csv')
  })
})

describe('detectFileType rejects with advice', () => {
  it.each([
    ['an .xls', () => oleFile('Workbook'), 'unsupported_media', /old \.xls format.*\.xlsx/],
    ['a password-protected workbook', () => oleFile('EncryptionInfo', 'EncryptedPackage'), 'invalid', /password.*Remove the password/],
    ['another OLE file', () => oleFile('WordDocument'), 'unsupported_media', /not an \.xlsx/],
    ['a cut-off OLE file', () => oleFile('Workbook').subarray(0, 100), 'unsupported_media', /not an \.xlsx/],
    ['a PDF', () => '%PDF-1.7\n', 'unsupported_media', /PDF/],
    ['an image', () => Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'), 'unsupported_media', /image/],
    ['a web page', () => '<html><table><tr><td>1</td></tr></table></html>', 'unsupported_media', /web page/],
    ['an XML file', () => '<?xml version="1.0"?><Workbook/>', 'unsupported_media', /XML/],
    ['nothing at all', () => '', 'invalid', /empty/],
    ['binary content', () => Buffer.from([1, 2, 0, 4, 5, 200, 0, 9]), 'unsupported_media', /neither a workbook nor text/],
  ])('%s', async (name, content, kind, message) => {
    await expect(detectFileType(await save(name, content()))).rejects.toEqual(appError(kind, message))
  })

  it.each([
    ['an .xlsb', 'xl/workbook.bin', '', /\.xlsb/],
    ['an .ods', 'mimetype', 'application/vnd.oasis.opendocument.spreadsheet', /\.ods/],
    ['a Word document', 'word/document.xml', '', /Word/],
    ['a ZIP of other files', 'photo.jpg', '', /ZIP archive without a workbook/],
  ])('%s', async (file, name, content, message) => {
    const path = await save(file, await zip([{ name, content }]))
    await expect(detectFileType(path)).rejects.toEqual(appError('unsupported_media', message))
  })

  it('a workbook cut off at any point', async () => {
    const whole = await zip(workbookParts({ sheets: [EMPTY_SHEET] }))
    for (const share of [0.05, 0.5, 0.95]) {
      const path = await save('cut.xlsx', whole.subarray(0, Math.floor(whole.length * share)))
      await expect(detectFileType(path)).rejects.toEqual(appError('invalid', /damaged.*cut off/))
    }
  })
})

describe('a ZIP bomb', () => {
  const bombParts = () => [...workbookParts({ sheets: [] }), { name: 'xl/worksheets/sheet1.xml', content: ' '.repeat(48 * 1_048_576) }]

  it('is rejected by its directory, before anything is unpacked', async () => {
    const bomb = await zip(bombParts())
    expect(bomb.length).toBeLessThan(250_000)
    const directory = bomb.readUInt32LE(bomb.length - 6)
    bomb.fill(0xff, bomb.indexOf('xl/worksheets/sheet1.xml') + 24, directory - 16)
    await expect(detectFileType(await save('bomb.xlsx', bomb))).rejects.toEqual(appError('too_large', /unusually large/))
  })

  it('that declares small sizes is rejected when it inflates to more than declared', async () => {
    const sheet = `<sheetData>${'<row><c><v>1</v></c></row>'.repeat(20_000)}</sheetData>`
    const liar = await zip(workbookParts({ sheets: [sheet] }))
    const entry = liar.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    liar.writeUInt32LE(1_000, entry + 24)
    await expect(readAll(await save('liar.xlsx', liar))).rejects.toEqual(appError('invalid', /damaged/))
  })

  it('of more than 2,000 members is rejected', async () => {
    const parts = Array.from({ length: 2_001 }, (_, at) => ({ name: `m${at}`, content: '' }))
    await expect(detectFileType(await save('many.xlsx', await zip(parts)))).rejects.toEqual(appError('too_large', /unusually large/))
  })
})

describe('damaged content', () => {
  it('that does not match its checksum is rejected', async () => {
    const file = await zip(workbookParts({ sheets: ['<sheetData><row><c><v>1</v></c></row></sheetData>'] }))
    const entry = file.lastIndexOf('xl/worksheets/sheet1.xml') - 46
    file.writeUInt32LE(file.readUInt32LE(entry + 16) ^ 1, entry + 16)
    await expect(readAll(await save('flipped.xlsx', file))).rejects.toEqual(appError('invalid', /checksum/))
  })

  it.each([
    ['an element never closed', '<sheetData><row><c>'],
    ['a document type', '<!DOCTYPE x [<!ENTITY a "aaaa">]><sheetData/>'],
    ['a tag cut in half', '<sheetData/><row r="'],
  ])('%s is rejected', async (_, sheet) => {
    const parts = workbookParts({ sheets: [] }).slice(2)
    const [workbook, relations] = workbookParts({ sheets: [''] })
    if (!workbook || !relations) throw new Error('The fixture changed')
    const path = await save(
      'bad.xlsx',
      await zip([workbook, relations, ...parts, { name: 'xl/worksheets/sheet1.xml', content: `<worksheet>${sheet}` }]),
    )
    await expect(readAll(path)).rejects.toEqual(appError('invalid', /damaged/))
  })

  it('with a cell that refers to a missing text is rejected, not read as empty', async () => {
    const path = await saveWorkbook('lost.xlsx', { sheets: ['<sheetData><row><c t="s"><v>7</v></c></row></sheetData>'] })
    await expect(readAll(path)).rejects.toEqual(appError('invalid', /text that a cell refers to is missing/))
  })

  it('in an encrypted member is rejected with the advice to remove the password', async () => {
    const file = await zip(workbookParts({ sheets: [EMPTY_SHEET] }))
    const entry = file.lastIndexOf('xl/workbook.xml') - 46
    file.writeUInt16LE(file.readUInt16LE(entry + 8) | 1, entry + 8)
    await expect(detectFileType(await save('locked.xlsx', file))).rejects.toEqual(appError('invalid', /password/))
  })
})
