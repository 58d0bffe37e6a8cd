const SQUARE_METERS = /\bm2\b|m²|sq\.?\s?m\b|square met|\bsqm\b|m[eè]tres carr|metros cuadr/i
/** An area has no other unit with this letter. */
const METERS_OF_AREA = /(?:\bareas?|\bsurface|\bsuperficie|fl(?:ä|ae?)che|\b(?:gfa|gia|nia|nla))\s*[([,/-]?\s*m[)\]]?\s*$/i
/** A capital letter may also mean thousands. */
const CAPITAL = /M[)\]]?\s*$/

/** Whether the header of an area names square meters: `Area (m2)`, `Floor area m`. */
export const namesSquareMeters = (header: string): boolean =>
  SQUARE_METERS.test(header) || (METERS_OF_AREA.test(header) && !CAPITAL.test(header))

/** The header of an area, in lower case, without the letter of its unit. */
export const withoutMeters = (header: string): string => (METERS_OF_AREA.test(header) ? header.replace(/\s*m$/, '') : header)

const AREA_UNIT = '(?:gross |rentable )?(?:s\\.?f\\.?|gsf|rsf|sq\\.? ?(?:ft|feet|foot|m)|sqft|square (?:foot|feet|met)|m2|m²)'
const AMOUNT = '(?:\\p{Sc}|\\b(?:costs?|values?|rate|price|rents?|tiv|rcv?|rcn|limit|amount|usd|cad|gbp|eur|dollars?))'
const PER_AREA = new RegExp(`${AMOUNT} ?/ ?${AREA_UNIT}(?!\\p{L})|\\bper ${AREA_UNIT}(?!\\p{L})|\\bpsf\\b`, 'iu')

/** Whether a header names an amount per area: `$/SF`, `Cost per sq ft`. */
export const namesAmountPerArea = (header: string): boolean => PER_AREA.test(header.replace(/_/g, ' '))
