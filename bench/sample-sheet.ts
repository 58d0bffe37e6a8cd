import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'

const NAME = 'gsa_buildings_2025_06.xlsx'
const ROWS = 8_645
const COLUMNS = [
  'Location Code',
  'Real Property Asset Name',
  'Street Address',
  'City',
  'State',
  'Zip Code',
  'Latitude',
  'Longitude',
  'Building Rentable Square Feet',
  'Construction Date',
  'Owned or Leased',
  'Real Property Asset Type',
  'Installation Name',
  'Congressional District',
  'GSA Region',
  'Building Status',
  'Available Square Feet',
  'Representative',
]

export interface SampleSheet {
  name: string
  bytes: Buffer
  /** The source of the rows, for the report. */
  origin: string
}

/** The federal inventory of June 2025 if PLUMBLINE_SAMPLES is set, otherwise a generated file of the same size. */
export async function sampleSheet(): Promise<SampleSheet> {
  const path = join(process.env['PLUMBLINE_SAMPLES'] ?? '', NAME)
  if (existsSync(path)) return { name: NAME, bytes: await readFile(path), origin: NAME }
  return generatedSheet(ROWS)
}

export async function generatedSheet(count: number): Promise<SampleSheet> {
  const rows = Array.from({ length: count }, (_, at) => generatedRow(at))
  const bytes = await buffer(
    writeWorkbook({
      sheets: [{ name: 'Buildings', columns: COLUMNS.map((header) => ({ header, width: 20, kind: 'text' as const })), rows }],
    }),
  )
  return { name: 'generated.xlsx', bytes, origin: `${count} × ${COLUMNS.length} generated` }
}

const generatedRow = (at: number): (string | number)[] => [
  `XX${String(at).padStart(5, '0')}`,
  `FEDERAL BUILDING ${at}`,
  `${100 + at} MILL ST`,
  'FRESNO',
  'CA',
  '93721',
  36.7 + at / 100_000,
  -119.7,
  1_000 + at,
  1950 + (at % 70),
  at % 5 === 0 ? 'F' : 'L',
  'BUILDING',
  'NA',
  '22',
  '09',
  'Active',
  '',
  'JOHN DOE',
]
