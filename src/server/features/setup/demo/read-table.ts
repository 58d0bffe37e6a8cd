import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'

/** The rows of a CSV file of this folder, whose first line names the columns. */
export const readTable = <R extends z.ZodType>(file: string, row: R): z.output<R>[] =>
  z.array(row).parse(parse(readFileSync(join(import.meta.dirname, file)), { columns: true }))
