import { save } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { decodeMember, openZip } from '#server/engines/spreadsheet/read/zip-reader.ts'

/** The XML of a part of a Word file. */
export async function partOfWord(bytes: Buffer, name = 'word/document.xml'): Promise<string> {
  const zip = await openZip(await save('list.docx', bytes))
  let text = ''
  for await (const chunk of decodeMember(zip, name)) text += chunk
  zip.close()
  return text
}

/** The texts of the cells of each row of the table; a line break is " / ". */
export async function rowsOfWord(bytes: Buffer): Promise<string[][]> {
  const rows = (await partOfWord(bytes)).split('<w:tr>').slice(1)
  return rows.map((row) =>
    row
      .split('<w:tc>')
      .slice(1)
      .map((cell) => [...(cell.split('</w:tc>')[0]?.matchAll(/<w:t [^>]*>([^<]*)<\/w:t>/g) ?? [])].map(([, text]) => text).join(' / ')),
  )
}
