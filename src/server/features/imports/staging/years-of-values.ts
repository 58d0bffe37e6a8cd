import type { z } from 'zod'
import type { Reader } from '#server/access/viewer.ts'
import { ImportRecord, committedImports } from '#server/features/imports/imports.queries.ts'
import { yearOfValues } from '#server/features/imports/pipeline/plan/older-question.ts'
import { selectedSheets } from '#server/features/imports/selected-sheets.ts'

/** What a file is called and how its columns are used, without the figures of the import. */
const MappedFile = ImportRecord.pick({ file_name: true, sheets: true, sheet_index: true, columns: true, mapping: true })

const COMMITTED_READ = 5

const yearIn = (file: z.output<typeof MappedFile>) => yearOfValues({ ...file, sheetNames: selectedSheets(file).map(({ name }) => name) })

/** The year of the values in the file, and the last import of the account whose year is known. */
export async function yearsOf(db: Reader, record: ImportRecord) {
  const year = yearIn(record)
  if (year === undefined) return { year, last: undefined }
  const committed = committedImports(db, record.account_id).orderBy('committed_at', 'desc').limit(COMMITTED_READ)
  const files = await committed.select(['file_name', 'sheets', 'sheet_index', 'columns', 'mapping']).execute()
  const [last] = files.flatMap((stored) => {
    const file = MappedFile.parse(stored)
    const known = yearIn(file)
    return known === undefined ? [] : [{ year: known, fileName: file.file_name }]
  })
  return { year, last }
}
