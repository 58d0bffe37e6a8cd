import { formatNumber } from '#contract/format.ts'
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS, IMPORT_MAX_SHEETS } from '#contract/limits.ts'
import { CELL_MAX_CHARACTERS, IMPORT_TOKEN_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import { invalid, AppError, tooLarge } from '#server/kernel/errors.ts'
import { columnLetters } from '../sheet.ts'

export const brokenFile = (detail: string) =>
  invalid({ file: [`This file is damaged (${detail}). Open it in your spreadsheet program, save it again and upload the new copy.`] })

export const passwordProtected = () =>
  invalid({
    file: ['This workbook is protected with a password. Remove the password in Excel (File, Info, Protect Workbook) and upload it again.'],
  })

export const tooManyRows = (maxRows: number) =>
  tooLarge(
    `This sheet has more than ${formatNumber(Math.min(maxRows, IMPORT_MAX_ROWS))} rows, the limit of one import. Split it into several files and import them one after the other.`,
  )

export const tooManyColumns = (column: number, row: number) =>
  tooLarge(
    `Row ${formatNumber(row)} holds a value in column ${columnLetters(column)}; an import reads at most ${IMPORT_MAX_COLUMNS} columns (up to ${columnLetters(IMPORT_MAX_COLUMNS)}). Delete the columns beyond it and upload the file again.`,
  )

export const tooManySheets = (sheets: number) =>
  tooLarge(
    `This workbook has ${sheets} sheets; an import reads at most ${IMPORT_MAX_SHEETS}. Delete the sheets that are not needed and upload it again.`,
  )

export const tooManyDelimiters = (row: number) =>
  tooLarge(
    `Line ${formatNumber(row)} has more columns than a spreadsheet program can hold, so the file was not read. Open it in your spreadsheet program, delete the empty columns and upload it again.`,
  )

export const tooManyEmptyRows = (rows: number) =>
  tooLarge(`This file has more than ${formatNumber(rows)} empty rows. Delete them and upload the file again.`)

export const noValues = (rows: number) =>
  invalid({
    file: [`The first ${formatNumber(rows)} rows of this file are empty. Delete them and upload the file again.`],
  })

export const quoteNeverEnds = (row: string) =>
  invalid({
    file: [`Row ${row} begins a quoted text that never ends. Add the missing quotation mark (") and upload the file again.`],
  })

export const tooLongRow = (row: string) =>
  invalid({
    file: [
      `Row ${row} has more than ${formatNumber(IMPORT_TOKEN_MAX_CHARACTERS)} characters. If it begins a quoted text that never ends, add the missing quotation mark ("). Then upload the file again.`,
    ],
  })

export const tooLongText = (column: number, row: number) =>
  tooLarge(
    `Cell ${columnLetters(column)}${row} holds more than ${formatNumber(CELL_MAX_CHARACTERS)} characters, the most a cell can hold. Shorten it and upload the file again.`,
  )

export const unpacksTooLarge = () =>
  tooLarge(
    'This workbook is unusually large once unpacked, so it was not opened. Copy the rows you need into a new workbook and upload that.',
  )

/** Maps a failure while unpacking: it is a damaged archive, unless the disk failed. */
export const unpackFailure = (error: unknown): unknown =>
  error instanceof AppError || (error instanceof Error && 'syscall' in error) ? error : brokenFile('its content cannot be unpacked')
