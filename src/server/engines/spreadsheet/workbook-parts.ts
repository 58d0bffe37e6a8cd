import { posix } from 'node:path'
import { IMPORT_MAX_SHEETS } from '#contract/limits.ts'
import { invalid, tooLarge } from '#server/kernel/errors.ts'
import { attributes, createXmlScanner, isTrue } from './xml-scan.ts'
import { readMemberText, type ZipArchive } from './zip-directory.ts'

export interface WorkbookParts {
  date1904: boolean
  sheets: { name: string; hidden: boolean; member: string }[]
  sharedStrings: string | undefined
  styles: string | undefined
}

interface Relation {
  type: string
  target: string
}

/**
 * Where the parts of a workbook lie in its archive. Chart, dialog and macro sheets are left out.
 * @throws AppError when there is no worksheet or more than the limit.
 */
export async function readWorkbookParts(zip: ZipArchive): Promise<WorkbookParts> {
  const relations = parseRelations(await readMemberText(zip, 'xl/_rels/workbook.xml.rels'))
  const parts: WorkbookParts = { date1904: false, sheets: [], sharedStrings: undefined, styles: undefined }
  for (const { type, target } of relations.values()) {
    if (type === 'sharedStrings') parts.sharedStrings = target
    if (type === 'styles') parts.styles = target
  }
  const scanner = createXmlScanner({
    open(name, tag) {
      if (name !== 'sheet' && name !== 'workbookPr') return
      const found = attributes(tag)
      if (name === 'workbookPr') parts.date1904 = isTrue(found.get('date1904'))
      else addSheet(parts, relations, found)
    },
    close: () => undefined,
    text: () => undefined,
  })
  scanner.push(await readMemberText(zip, 'xl/workbook.xml'))
  scanner.end()
  if (parts.sheets.length === 0) throw invalid({ file: ['This workbook holds no worksheet. Check that you picked the right file.'] })
  if (parts.sheets.length > IMPORT_MAX_SHEETS) {
    throw tooLarge(
      `This workbook has ${parts.sheets.length} sheets; an import reads at most ${IMPORT_MAX_SHEETS}. Delete the sheets that are not needed and upload it again.`,
    )
  }
  return parts
}

function addSheet(parts: WorkbookParts, relations: Map<string, Relation>, found: Map<string, string>): void {
  const id = [...found].find(([name]) => name.endsWith(':id'))?.[1] ?? ''
  const relation = relations.get(id)
  if (relation?.type !== 'worksheet') return
  const state = found.get('state')
  parts.sheets.push({ name: found.get('name') ?? '', hidden: state === 'hidden' || state === 'veryHidden', member: relation.target })
}

function parseRelations(xml: string): Map<string, Relation> {
  const relations = new Map<string, Relation>()
  const scanner = createXmlScanner({
    open(name, tag) {
      if (name !== 'Relationship') return
      const found = attributes(tag)
      const target = found.get('Target') ?? ''
      relations.set(found.get('Id') ?? '', {
        type: posix.basename(found.get('Type') ?? ''),
        target: target.startsWith('/') ? target.slice(1) : posix.join('xl', target),
      })
    },
    close: () => undefined,
    text: () => undefined,
  })
  scanner.push(xml)
  scanner.end()
  return relations
}
