import type { Reader } from '#server/access/viewer.ts'
import { lastCommitted, type ImportRecord } from '#server/features/imports/imports.queries.ts'
import { yearOfValues } from '#server/features/imports/pipeline/plan/older-question.ts'
import { selectedSheets } from '#server/features/imports/selected-sheets.ts'

type Named = Pick<ImportRecord, 'columns' | 'mapping' | 'sheets' | 'sheet_index'>

const yearIn = (file: Named) => yearOfValues({ ...file, sheetNames: selectedSheets(file).map(({ name }) => name) })

/** The year of the values in the file, and the last import of the account whose year is known. */
export async function yearsOf(db: Reader, record: ImportRecord) {
  const year = yearIn(record)
  const before = year === undefined ? [] : await lastCommitted(db, record.account_id)
  const [last] = before.flatMap((file) => {
    const known = yearIn(file)
    return known === undefined ? [] : [{ year: known, fileName: file.file_name }]
  })
  return { year, last }
}
