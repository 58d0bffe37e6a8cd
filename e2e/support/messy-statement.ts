import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Statement {
  name: string
  mimeType: string
  buffer: Buffer
  /** The number of locations. */
  locations: number
  /** The text of the button that imports it. */
  commit: string
  /** The cells with invalid values, and the corrected values. */
  mistakes: readonly { issue: RegExp; cell: string; value: string }[]
}

const SAMPLES = process.env['PLUMBLINE_SAMPLES'] ?? ''
const SAMPLE = 'sov_multi_year_messy.xlsx'

/** A statement of values like the ones brokers send: a real one if PLUMBLINE_SAMPLES is set, otherwise one of the same kind. */
export function messyStatement(): Statement {
  const path = join(SAMPLES, SAMPLE)
  if (SAMPLES === '' || !existsSync(path)) return syntheticStatement()
  return {
    name: SAMPLE,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: readFileSync(path),
    locations: 8,
    commit: 'Add 8',
    mistakes: [
      { issue: /Column X, Longitude/, cell: 'X7', value: '-97.7431' },
      { issue: /Out of range.*Column P, Other Value/, cell: 'P8', value: '5000' },
    ],
  }
}

const HEADER =
  'Loc #,Location Name,Street Address,City,State,ZIP,Occupancy Type,Construction Type,Year Built,# Stories,Square Footage,Building Value 2025,Contents Value 2025,BI Value 2025,Other Value 2025,Latitude,Longitude'
const ROWS = [
  '1,Main Office,500 Congress Ave,Austin,TX,78701,Office,Fire Resistive,1999,12,"250,000","$45,000,000","5,000,000","20,000,000",0,30.2672,-97.7431',
  '2,Warehouse East,2400 Logistics Pkwy,Dallas,TX,75201,Warehouse,Masonry Non-Combustible,circa 1995,one,"180,000","18,000,000","9,000,000","1,700,000",,32.7767,-96.7970',
  '3,Retail North,88 Market St,Plano,TX,75023,Retail,Joisted Masonry,1987,2,"40,000","6,500,000",TBD,"400,000",-,33.0198,-96.6989',
  '4,Plant South,9 Mill Rd,Waco,TX,76701,Manufacturing,Non-Combustible,2004,1,"95,000","12,000,000","7,000,000","2,000,000",,31.5493,999',
  '5,Depot,71 Depot Rd,Temple,TX,76501,Warehouse,Frame,2091,1,"22,000","1,900,000","300,000",N/A,(5000),31.0982,-97.3428',
]

function syntheticStatement(): Statement {
  const lines = ['Statement of Values 2025', '', HEADER, ...ROWS, '', 'TOTAL,,,,,,,,,,,"83,400,000",,,,,']
  return {
    name: 'statement-of-values.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
    locations: ROWS.length,
    commit: `Add ${ROWS.length}, and confirm 1 column`,
    mistakes: [
      { issue: /Column Q, Longitude/, cell: 'Q7', value: '-97.1467' },
      { issue: /Column I, Year Built/, cell: 'I8', value: '1978' },
      { issue: /Out of range.*Column O, Other Value/, cell: 'O8', value: '5000' },
    ],
  }
}
