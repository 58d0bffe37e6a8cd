import { PROPERTY_FIELDS } from '#contract/property-fields.ts'
import { cellText, withoutDecimals, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { readDateOfNumber } from './read-cell.ts'
import { addIssue, isPlaceholder, type ColumnStyle, type ReadRow } from './results.ts'

const ONE = String.raw`\d{1,6}(?:[.,]0+)?\s?(?:\p{L}|bis|ter|quater)?`
const HOUSE_NUMBER = new RegExp(String.raw`^${ONE}(?:\s?[-–/+&]\s?(?:${ONE}|\p{L}))*$`, 'iu')

/** `12`, `4a`, `4 bis` and `10-14`. */
export const isHouseNumber = (text: string): boolean => HOUSE_NUMBER.test(text.trim())

const NUMBER_LAST =
  /stra(?:ss|ß)e\b|str\.|(?:weg|platz|gasse|allee|ring|ufer|damm|markt|straat|laan|gatan|vej)(?![\p{L}])|^(?:am|an der|auf|im|in der|unter|zum|zur|calle|avenida|carrera|via|viale|piazza|corso|rua)\s/iu
const NUMBER_FIRST = /^(?:rue|chemin|quai|impasse|avenue|boulevard|route|place|allée|allee|cours|sentier|ruelle)\s/i
/** Headers in German, Dutch and Spanish. */
const HEADER_OF_LAST = /^(?:nr|nummer)$|haus|hnr|huis|exterior/

const isLast = (street: string, header: string): boolean =>
  NUMBER_FIRST.test(street) ? false : NUMBER_LAST.test(street) || HEADER_OF_LAST.test(header)

interface HouseNumberColumn {
  /** From 0. */
  index: number
  column: string
  style: ColumnStyle
}

/** Adds the house number in a column of its own to the street, in the order of its language, unless the street has one. */
export function joinHouseNumber(cells: readonly (Cell | undefined)[], { index, column, style }: HouseNumberColumn, row: ReadRow): void {
  const text = withoutDecimals(cellText(cells[index]))
  const { address } = row.fields
  if (!address || text === '' || /^[-–—]+$|^s\/?n$/i.test(text) || isPlaceholder(text)) return
  const dated = readDateOfNumber(text, style)
  const number = String(dated ? (dated.value ?? '') : text)
  if (dated?.problem) row.issues.push({ column, field: 'address', value: text, ...dated.problem })
  if (number === '') return
  const own = /(?:^\d+\s?\p{L}?(?=[\s,])|(?<=\s)\d+\s?\p{L}?$)/u.exec(address)?.[0]
  const joined = isLast(address, style.headerWords) ? `${address} ${number}` : `${number} ${address}`
  if (own === undefined && joined.length <= PROPERTY_FIELDS.address.max) {
    row.fields.address = joined
    row.houseNumberFrom = column
  } else if (own === undefined || own.replace(/\s/g, '').toLowerCase() !== number.replace(/\s/g, '').toLowerCase()) {
    const message = `The house number “${number}” in column ${column} is not added to “${address}”, which ${own === undefined ? 'is too long' : 'has one'}. Type the whole address if that is wrong.`
    addIssue(row, 'address', address, { code: 'address_parts', severity: 'warning', message })
  }
}
