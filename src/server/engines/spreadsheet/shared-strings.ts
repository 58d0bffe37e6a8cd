import { createTextGatherer } from './cell-text.ts'
import { createXmlScanner } from './xml-scan.ts'
import { decodeMember, type ZipArchive } from './zip-directory.ts'

/** The table of shared strings, in order; empty when the workbook has none. */
export async function readSharedStrings(zip: ZipArchive, member: string | undefined): Promise<string[]> {
  const strings: string[] = []
  if (!member) return strings
  const gatherer = createTextGatherer()
  const scanner = createXmlScanner({
    open: (name) => gatherer.open(name),
    close(name) {
      gatherer.close(name)
      if (name === 'si') strings.push(gatherer.take())
    },
    text: (value) => gatherer.text(value),
  })
  for await (const chunk of decodeMember(zip, member)) scanner.push(chunk)
  scanner.end()
  return strings
}
