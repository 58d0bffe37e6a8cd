const PART =
  /\b(?:month|week|dai|quarter)ly\b|\b(?:per|a|each|every) (?:month|mo|mth|week|wk|day|quarter|qtr)\b|\/ ?(?:months?|mo|mth|weeks?|wk|days?|qtr|12)\b/i
const SPAN = /\b(\d{1,3})[ -]?(?:mo|mos|mths?|months?)\b/i
const YEAR_MONTHS = 12

/** Whether a header says that its amounts are not for twelve months: `Monthly Rents`, `Annual Rents / 12`, `BI (6 months)`. */
export function isPartOfYear(header: string): boolean {
  const text = header.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\s]+/g, ' ')
  const months = SPAN.exec(text)?.[1]
  return PART.test(text) || (months !== undefined && Number(months) !== YEAR_MONTHS)
}
