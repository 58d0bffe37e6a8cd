import { posix } from 'node:path'
import { invalid } from '#server/kernel/errors.ts'
import { LITERAL_STYLE, type OpenWorkbook, type SheetPart } from '../sheet.ts'
import { type CellContext, createTextCollector } from './cell-value.ts'
import { brokenFile, tooManySheets } from './file-errors.ts'
import { builtinFormat, type NumberFormat, parseFormat, withoutPlainDollars } from './number-formats.ts'
import { IMPORT_LIMITS, type ReadLimits } from './read-limits.ts'
import { createRowCollector } from './row-collector.ts'
import { createSheetScanner } from './sheet-scanner.ts'
import { attribute, attributes, createXmlScanner, isTrue, type XmlHandlers, type XmlScanner } from './xml-scanner.ts'
import { decodeMember, openZip, type ZipArchive } from './zip-reader.ts'

interface WorkbookParts {
  date1904: boolean
  sheets: { name: string; hidden: boolean; member: string }[]
  sharedStrings: string | undefined
  styles: string | undefined
}

type Relation = { type: string; target: string }

/** Opens an .xlsx or .xlsm. Strings and styles are read together with the first sheet. */
export async function openXlsx(path: string, limits = IMPORT_LIMITS): Promise<OpenWorkbook> {
  const zip = await openZip(path)
  try {
    const parts = await readWorkbookParts(zip, limits)
    let context: CellContext | undefined
    return {
      workbook: { kind: 'xlsx', sheets: parts.sheets.map(({ name, hidden }, index) => ({ index, name, hidden })) },
      async *read(index, maxRows) {
        const { date1904, sharedStrings, styles } = parts
        context ??= { strings: await readSharedStrings(zip, sharedStrings), ...(await readStyles(zip, styles)), date1904 }
        const member = parts.sheets[index]?.member
        if (member === undefined) throw brokenFile(`sheet ${index + 1} is missing`)
        const collector = createRowCollector(index, maxRows)
        const scanner = createSheetScanner(context, collector, limits)
        yield* readSheet(decodeMember(zip, member), scanner, collector)
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function* readSheet(
  chunks: AsyncIterable<string>,
  scanner: XmlScanner,
  collector: ReturnType<typeof createRowCollector>,
): AsyncGenerator<SheetPart> {
  for await (const chunk of chunks) {
    scanner.push(chunk)
    for (const part of collector.takeFull()) yield part
  }
  scanner.end()
  yield* collector.takeRest()
}

/** Locates the parts of a workbook; chart, dialog and macro sheets are left out. Throws AppError for no worksheet or a limit that rejects. */
async function readWorkbookParts(zip: ZipArchive, limits: ReadLimits): Promise<WorkbookParts> {
  const relations = await readRelations(zip)
  const targetOf = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.target
  const parts: WorkbookParts = { date1904: false, sheets: [], sharedStrings: targetOf('sharedStrings'), styles: targetOf('styles') }
  await scanMember(zip, 'xl/workbook.xml', {
    open(name, tag) {
      if (name === 'workbookPr') parts.date1904 = isTrue(attributes(tag).get('date1904'))
      else if (name === 'sheet') addSheet(parts, relations, attributes(tag))
    },
  })
  if (parts.sheets.length === 0) throw invalid({ file: ['This workbook holds no worksheet. Check that you picked the right file.'] })
  if (parts.sheets.length > limits.sheets && limits.beyond === 'rejected') throw tooManySheets(parts.sheets.length)
  return { ...parts, sheets: parts.sheets.slice(0, limits.sheets) }
}

function addSheet(parts: WorkbookParts, relations: Map<string, Relation>, found: Map<string, string>): void {
  const id = [...found].find(([name]) => name.endsWith(':id'))?.[1] ?? ''
  const relation = relations.get(id)
  if (relation?.type !== 'worksheet') return
  const state = found.get('state')
  parts.sheets.push({ name: found.get('name') ?? '', hidden: state === 'hidden' || state === 'veryHidden', member: relation.target })
}

async function readRelations(zip: ZipArchive): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>()
  await scanMember(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, tag) {
      if (name !== 'Relationship') return
      const found = attributes(tag)
      const target = found.get('Target') ?? ''
      relations.set(found.get('Id') ?? '', {
        type: posix.basename(found.get('Type') ?? ''),
        target: target.startsWith('/') ? target.slice(1) : posix.join('xl', target),
      })
    },
  })
  return relations
}

/** The table of shared strings, in order; empty when the workbook has none. */
async function readSharedStrings(zip: ZipArchive, member: string | undefined): Promise<string[]> {
  const strings: string[] = []
  const collector = createTextCollector()
  await scanMember(zip, member, {
    open: (name) => collector.open(name),
    close(name) {
      collector.close(name)
      if (name === 'si') strings.push(collector.take())
    },
    text: (value) => collector.text(value),
  })
  return strings
}

/**
 * The number format of every cell style, by the index of the style, and which styles are struck through or of literal values; empty when the
 * workbook has no styles.
 */
async function readStyles(zip: ZipArchive, member: string | undefined): Promise<Pick<CellContext, 'formats' | 'struck' | 'literal'>> {
  const custom = new Map<string, NumberFormat>()
  const formats: NumberFormat[] = []
  const struckFonts = new Set<number>()
  const struck = new Set<number>()
  /** The named style of each cell style. */
  const named: (string | undefined)[] = []
  let literalName: string | undefined
  let fonts = 0
  let inFonts = false
  let inCellStyles = false
  await scanMember(zip, member, {
    open(name, tag) {
      if (name === 'cellXfs') inCellStyles = true
      else if (name === 'fonts') inFonts = true
      else if (name === 'font' && inFonts) fonts += 1
      else if (name === 'strike' && inFonts && isOn(attribute(tag, 'val'))) struckFonts.add(fonts - 1)
      else if (name === 'numFmt') {
        const found = attributes(tag)
        custom.set(found.get('numFmtId') ?? '', parseFormat(found.get('formatCode') ?? ''))
      } else if (name === 'xf' && inCellStyles) {
        const id = attribute(tag, 'numFmtId') ?? '0'
        if (struckFonts.has(Number(attribute(tag, 'fontId')))) struck.add(formats.length)
        named.push(attribute(tag, 'xfId'))
        formats.push(custom.get(id) ?? builtinFormat(Number(id)))
      } else if (name === 'cellStyle' && attribute(tag, 'name') === LITERAL_STYLE) literalName = attribute(tag, 'xfId')
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false
      else if (name === 'fonts') inFonts = false
    },
  })
  const literal = new Set(named.flatMap((one, style) => (one !== undefined && one === literalName ? [style] : [])))
  return { formats: withoutPlainDollars(formats), struck, literal }
}

/** A property of a font without a value is on. */
const isOn = (value: string | undefined) => value === undefined || isTrue(value)

/** Passes the XML of a member to the handlers; does nothing when the workbook has no such member. */
async function scanMember(zip: ZipArchive, member: string | undefined, handlers: XmlHandlers): Promise<void> {
  if (member === undefined) return
  const scanner = createXmlScanner(handlers)
  for await (const chunk of decodeMember(zip, member)) scanner.push(chunk)
  scanner.end()
}
