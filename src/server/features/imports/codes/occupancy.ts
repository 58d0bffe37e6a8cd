import { warning, type OccupancyScheme, type Reading } from '#server/features/imports/cells/reading.ts'
import { typeOfWords } from './occupancy-words.ts'

const table = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(' ').flatMap((entry) => {
      const [type = '', codes = ''] = entry.split(':')
      return codes.split(',').map((code) => [code, type] as const)
    }),
  )

/** Domain 3.2. A general code (1000, 1050 …) says no more than its group. */
const OED = table(
  'residential:1050,1051 multifamily:1052,1055,1056 hospitality:1053,1115,1116 senior_living:1054,1107 other:1100,1103,1123 retail:1101 warehouse:1102,1122 ' +
    'office:1104,1125 healthcare:1105,1106 recreation:1108,1114,1117,1211 parking:1113 restaurant:1119 retail:1120,1121 ' +
    'industrial:1150,1151,1152,1153,1154,1155,1157,1158,1159 tech:1156 religious:1200,1201 government:1210,1214,1215,1220 education:1230,1231 ' +
    'utility:1250,1251,1252,1253,1254,1255,1256,1300,1301,1302,1303,1304,1305 agriculture:1351',
)
const AIR = table(
  'residential:301,302 multifamily:303,306 hospitality:304 senior_living:305 other:311,314,371 retail:312,335,336 warehouse:313,366 office:315 healthcare:316 ' +
    'recreation:317,319 parking:318 restaurant:331 industrial:321,322,323,324,325,326,328,329,330 tech:327 religious:341,342 government:343,344 education:345,346 ' +
    'utility:361,362,363,364,365 agriculture:373',
)
const ATC = table(
  'residential:1 multifamily:2 hospitality:3 senior_living:4 retail:5 warehouse:6 other:7 office:8 healthcare:9 recreation:10 parking:11 ' +
    'industrial:12,13,14,15,16,18,19,21 tech:17 agriculture:20 religious:22 government:23,24 education:25',
)
const HAZUS = table(
  'residential:RES1,RES2 multifamily:RES3,RES3A,RES3B,RES3C,RES3D,RES3E,RES3F hospitality:RES4 education:RES5,EDU1,EDU2 senior_living:RES6 retail:COM1 warehouse:COM2 ' +
    'other:COM3 office:COM4,COM5 healthcare:COM6,COM7 restaurant:COM8 recreation:COM9 parking:COM10 industrial:IND1,IND2,IND3,IND4,IND6 tech:IND5 agriculture:AGR1 ' +
    'religious:REL1 government:GOV1,GOV2',
)
const UNKNOWN_CODES = new Set(['0', '300', '1000'])
const SCHEMES = { oed: OED, air: AIR, atc: ATC, hazus: HAZUS } as const

export const isOccupancyCode = (code: string, scheme: Exclude<OccupancyScheme, 'words'>): boolean => SCHEMES[scheme].has(code.toUpperCase())

/** The property type of an occupancy word or code; the text itself is kept by the caller whatever comes out. */
export function readOccupancy(cell: string | number | boolean, scheme: OccupancyScheme): Reading {
  const text = String(cell).replace(/\s+/g, ' ').trim()
  const code = text.replace(/^(\d+)\.0+$/, '$1').toUpperCase()
  if (scheme !== 'words' && /^[A-Z]{0,3}\d+[A-Z]?$/.test(code)) {
    if (UNKNOWN_CODES.has(code)) return { value: null }
    const type = SCHEMES[scheme].get(code)
    return type === undefined ? notUnderstood(text) : { value: type }
  }
  if (/^(unk\w*|n\/?a|tbd|\?+|-+|none|not stated)$/i.test(text)) return { value: null }
  const { type, alternatives } = typeOfWords(text)
  if (type === undefined) return notUnderstood(text)
  return alternatives.length === 0
    ? { value: type }
    : warning('unknown_code', `“${text}” names more than one use and is read as ${type}. Confirm the property type.`, type)
}

const notUnderstood = (text: string): Reading =>
  warning('unknown_code', `“${text}” is no known occupancy. The text is kept and the type is Other; choose a type from the list.`, 'other')
