import { factorOf } from './amount-notation.ts'
import { cellText, isFilled, type SheetRow } from './cells.ts'

const UNIT =
  /^(\$|us\$|c\$|usd|cad|eur|gbp|€|£|(us\$|c\$|usd|cad|eur|gbp|\$|€|£)? ?\(?'?0{3}'?s?\)?|(in )?(\$|usd|cad|eur|gbp|€|£)? ?(in )?(thousands?|millions?)|x ?1[,.]?0{3}|dollars?|sq\.? ?ft\.?|sf|sq\.? ?m\.?|sqm|m2|m²|ft\.?|feet|metres?|meters?|mi\.?|miles|km|%|percent|yrs?\.?|years?|yyyy|mm\/dd\/yyyy|dd\/mm\/yyyy|date|months?|days?|#|no\.?|number|count|each|y\/n|yes\/no|text|code|iso|dd|degrees|decimal degrees|required|optional|stories|floors|units?)$/i
/** Units that change the meaning of the values, and therefore belong to the name of the column. */
const SCALE = /0{3}|thousand|million|^(sq\.? ?m\.?|sqm|m2|m²)$|^(c\$|cad|eur|gbp|€|£)$/i
const UNITS_SHARE_MIN = 0.6

const unitOf = (text: string) => text.replace(/^[([](.*)[)\]]$/, '$1').trim()
/** The longest are like `US$ mio`. */
const SHORT = /^\S{1,6}( \S{1,6})?$/
/** `$1,000` alone may be the amount of a location. */
const AMOUNT = /^(?:\p{Sc}|\p{L}{2,3}\$?)? ?\d[\d,.'’]*$/u
/** `$K`, `TEUR`, `USD mm`, and `mio`, which is a unit only in brackets. */
const isMultiple = (unit: string): boolean => SHORT.test(unit) && !AMOUNT.test(unit) && factorOf(`(${unit})`) > 1
const isUnit = (text: string): boolean => UNIT.test(unitOf(text)) || isMultiple(unitOf(text))

/** Whether a row below the header contains the units of its columns, such as `($)`, `sq ft` and `yyyy`, and no values. */
export function isUnitsRow({ cells }: Pick<SheetRow, 'cells'>): boolean {
  const filled = cells.filter(isFilled)
  const units = filled.filter((cell) => isUnit(cellText(cell)))
  return (
    filled.length > 1 &&
    filled.every((cell) => typeof cell === 'string' && !/^[\d.,]+$/.test(cell)) &&
    units.length >= filled.length * UNITS_SHARE_MIN
  )
}

/** Units of amounts, areas, lengths and shares, which are no names of columns, unlike `No.` and `Date`. */
const MEASURE = /\$|€|£|%|0{3}|\b(usd|cad|eur|gbp|thousands|millions|dollars?|sq|sf|sqm|m2|m²|ft|feet|met(er|re)s?|mi|miles|km|percent)\b/i

/** Whether a row below complete names of columns only adds units to them. */
export const addsUnits = (row: SheetRow, isNamed: (column: number) => boolean): boolean =>
  isUnitsRow(row) &&
  row.cells.some((cell) => MEASURE.test(cellText(cell)) || isMultiple(unitOf(cellText(cell)))) &&
  row.cells.every((cell, column) => !isFilled(cell) || isNamed(column))

/** The name of a column with its unit, if the unit changes the meaning of the values: `Floor area (m2)`. */
export function withUnit(label: string, text: string): string {
  const unit = unitOf(text)
  return label !== '' && (isMultiple(unit) || (SCALE.test(unit) && isUnit(unit))) ? `${label} (${unit})` : label
}
