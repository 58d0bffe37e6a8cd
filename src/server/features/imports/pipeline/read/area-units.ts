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
