import { builtinFormat, type NumberFormat, parseFormat } from './number-formats.ts'
import { attribute, attributes, createXmlScanner } from './xml-scan.ts'
import { decodeMember, type ZipArchive } from './zip-directory.ts'

/** The number format of every cell style, by the style's index; empty when the workbook has no styles. */
export async function readStyles(zip: ZipArchive, member: string | undefined): Promise<NumberFormat[]> {
  const custom = new Map<string, NumberFormat>()
  const formats: NumberFormat[] = []
  let inCellStyles = false
  if (!member) return formats
  const scanner = createXmlScanner({
    open(name, tag) {
      if (name === 'cellXfs') inCellStyles = true
      else if (name === 'numFmt') {
        const found = attributes(tag)
        custom.set(found.get('numFmtId') ?? '', parseFormat(found.get('formatCode') ?? ''))
      } else if (name === 'xf' && inCellStyles) {
        const id = attribute(tag, 'numFmtId') ?? '0'
        formats.push(custom.get(id) ?? builtinFormat(Number(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false
    },
    text: () => undefined,
  })
  for await (const chunk of decodeMember(zip, member)) scanner.push(chunk)
  scanner.end()
  return formats
}
