const CANTONS: ReadonlySet<string> = new Set('ZH BE LU UR SZ OW NW GL ZG FR SO BS BL SH AR AI SG GR AG TG TI VD VS NE GE JU'.split(' '))

/** Whether a header, as words, names parts of a country other than the United States and Canada. */
export const namesForeignStates = (header: string): boolean => /\b(?:kantone?|cantons?|bundesl(?:a|ae)nde?r?)\b/.test(header)

/** The country of a text below such a header, if it is certain: NE and AR are cantons, too. Other countries have cantons, but not these codes. */
export function countryOfState(header: string, text: string): string | undefined {
  if (/\bkantone?\b/.test(header) && !header.includes('bundesl')) return 'CH'
  return /\b[ck]antons?\b/.test(header) && CANTONS.has(text.trim().toUpperCase()) ? 'CH' : undefined
}
