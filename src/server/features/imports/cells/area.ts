import { PROPERTY_FIELDS } from '#contract/property-fields.ts'
import { parseNumber } from './number-text.ts'
import { failure, isPlaceholder, NOTHING, placeholder, warning, type ColumnStyle, type Reading } from './reading.ts'

const SQUARE_FEET_PER_SQUARE_METRE = 10.7639
const FEET = /^(sf|sq\.? ?ft\.?|sqft|square feet|sq\.? feet|gsf|rsf|ft2|ft²)$/
const METRES = /^(m2|m²|sqm|sq\.? ?m\.?|square met(er|re)s?)$/

/** Square feet of all floors; square metres are converted. */
export function readArea(cell: string | number | boolean, style: ColumnStyle): Reading {
  if (typeof cell === 'number') return checked(cell, style.squareMetres)
  const text = String(cell).replace(/\s+/g, ' ').trim().toLowerCase()
  if (/^(-+|none|nil)$/.test(text)) return NOTHING
  if (isPlaceholder(text)) return placeholder(text)
  const [, number = '', unit = ''] = /^(?:approx\.?|~|\+\/-)?\s*([\d.,' ]+?)\s*(?:\+\/-)?\s*([a-z].*)?$/.exec(text) ?? []
  const area = parseNumber(number, style.european)
  if (area === undefined)
    return failure('not_a_number', `“${text}” is not an area. Type square feet such as 24,000, or leave the cell empty.`)
  if (unit !== '' && !FEET.test(unit) && !METRES.test(unit)) {
    return failure('unit', `“${unit}” is not a unit of floor area. Type the area of all floors in square feet.`)
  }
  return checked(area, unit === '' ? style.squareMetres : METRES.test(unit))
}

function checked(area: number, squareMetres: boolean): Reading {
  const { max } = PROPERTY_FIELDS.floor_area
  if (area === 0)
    return warning('placeholder_value', 'A floor area of 0 stands for “unknown”, so the field stays empty. Type the area if you know it.')
  const feet = squareMetres ? Math.round(area * SQUARE_FEET_PER_SQUARE_METRE) : area
  if (feet < 0 || feet > max)
    return failure(
      'out_of_range',
      `${area} is not between 1 and ${max.toLocaleString('en-US')} square feet. Correct the area or leave the cell empty.`,
    )
  return { value: feet }
}
