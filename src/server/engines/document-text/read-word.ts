import { createXmlScanner } from '../spreadsheet/read/xml-scanner.ts'
import { decodeMember, openZip, type ZipArchive } from '../spreadsheet/read/zip-reader.ts'
import type { PartCollector } from './collect-parts.ts'
import type { TextFacts } from './text-facts.ts'

const DOCUMENT = 'word/document.xml'
/** Members with text in addition to the document itself, with their place. */
const OTHER_MEMBERS: readonly (readonly [pattern: RegExp, place: string])[] = [
  [/^word\/header\d*\.xml$/, 'Header'],
  [/^word\/footer\d*\.xml$/, 'Footer'],
  [/^word\/footnotes\.xml$/, 'Footnotes'],
  [/^word\/endnotes\.xml$/, 'Endnotes'],
  [/^word\/comments\.xml$/, 'Comments'],
]

/** Reads the text of a Word document by pages, if Word stored where its pages ended when it was saved. Deleted text is left out. */
export async function readWord(path: string, collector: PartCollector, facts: TextFacts, prefix = ''): Promise<void> {
  const zip = await openZip(path)
  try {
    const pages = await readMember(zip, DOCUMENT)
    if (pages.length > 1) facts.pages = pages.length
    for (const [at, text] of pages.entries()) {
      collector.startPage()
      collector.add({ page: null, place: pages.length > 1 ? `${prefix}Page ${at + 1}` : prefix.replace(/, $/, ''), text })
    }
    for (const [pattern, place] of OTHER_MEMBERS)
      for (const name of zip.names.filter((member) => pattern.test(member)))
        collector.add({ page: null, place: `${prefix}${place}`, text: (await readMember(zip, name)).join('\n') })
  } finally {
    zip.close()
  }
}

/** The texts of the pages of a member; one text if it has no marks of pages. */
async function readMember(zip: ZipArchive, name: string): Promise<string[]> {
  const pages = ['']
  // A text box is stored twice: as a drawing, and as a fallback for old programs.
  let fallback = 0
  let isText = false
  const write = (text: string) => {
    if (fallback === 0) pages[pages.length - 1] += text
  }
  const scanner = createXmlScanner({
    open(element) {
      if (element === 'Fallback') fallback += 1
      else if (element === 't') isText = true
      else if (element === 'tab') write(' ')
      else if (element === 'br' || element === 'cr') write('\n')
      else if (element === 'lastRenderedPageBreak' && fallback === 0) pages.push('')
    },
    close(element) {
      if (element === 'Fallback') fallback -= 1
      else if (element === 't') isText = false
      else if (element === 'p') write('\n')
      else if (element === 'tc') write(' | ')
    },
    text(value) {
      if (isText) write(value)
    },
  })
  for await (const chunk of decodeMember(zip, name)) scanner.push(chunk)
  scanner.end()
  return pages
}
