const PER = String.raw`\b(?:per|a|each|every|pro|je|par|por|al)`
/** Words for a span, in English, French, Spanish and German, and how many of it a year has. */
const SPANS: readonly (readonly [RegExp, spansOfYear: number, name: string])[] = [
  [
    new RegExp(String.raw`\bmonthly\b|${PER} (?:month|mo|mth|monat|mois|mes)\b|\/ ?(?:months?|mo|mth|mois|monat|mes|12)\b`, 'i'),
    12,
    'a month',
  ],
  [/\b(?:monatlich(?:e[rsn]?)?|monatsbetrag|monatsmiete|mensuel(?:le)?s?|mensual(?:es)?|mtl)\b/i, 12, 'a month'],
  [new RegExp(String.raw`\b(?:quarterly|qtr?ly|qrtly)\b|${PER} (?:quarter|qtr|quartal|trimestre)\b|\/ ?qtr\b`, 'i'), 4, 'a quarter'],
  [/\b(?:viertelj(?:ä|ae)hrlich(?:e[rsn]?)?|quartalsweise|trimestriel(?:le)?s?|trimestral(?:es)?)\b/i, 4, 'a quarter'],
  [
    /\b(?:semi|half)[- ]?(?:annual|year)(?:ly)?\b|\b(?:halbj(?:ä|ae)hrlich(?:e[rsn]?)?|semestriel(?:le)?s?|semestral(?:es)?)\b/i,
    2,
    'a half year',
  ],
  [new RegExp(String.raw`\bweekly\b|${PER} (?:week|wk|woche|semaine|semana)\b|\/ ?(?:weeks?|wk)\b`, 'i'), 52, 'a week'],
  [new RegExp(String.raw`\bdaily\b|${PER} (?:day|tag|jour|d[ií]a)\b|\/ ?days?\b`, 'i'), 365, 'a day'],
]
/** An `M` after a number of months never means millions in a header. */
const MONTHS = /\b(\d{1,3})[ -]?(?:mo|mos|mths?|months?|monate?n?|mois|meses|m)\b/i
const YEAR_MONTHS = 12

const OF_TIME =
  /\b(?:bi|income|interruption|rents?|rentals?|time element|earnings|expenses?|payroll|revenue|profit|indemnity|bu|betriebsunterbr\w+|ertragsausfall|mietausfall|haftzeit|pertes?|loyers?|indemnisation)\b/

/** A header of income or of an indemnity period, in lower case, without its number of months: `bi` of `bi 12 m`. */
export const withoutMonths = (header: string): string => (OF_TIME.test(header) ? header.replace(MONTHS, ' ').trim() : header)

/** A certain quarter, unless it is the date of the rents. */
const CERTAIN_QUARTER =
  /(?<!\b(?:as of|at|since|from|updated) )\b(?:q[1-4]|[1-4]q|(?:1st|2nd|3rd|4th|first|second|third|fourth|last) (?:quarter|qtr)|(?:quarter|qtr) ?[1-4])(?!\p{L})/iu
/** Words that name the span of an income only: there are quarters of a city, too. */
const INCOME_SPANS: typeof SPANS = [
  [CERTAIN_QUARTER, 4, 'one quarter'],
  [/\b(?:quarter|qtr)\b/i, 4, 'a quarter'],
]
const OF_YEAR = /\b(?:annual(?:i[sz]ed)?|yearly|(?:per|a) year|ttm|ltm|12)\b/i

/** The spans that a header may name. */
const spansOf = (header: string): typeof SPANS =>
  OF_TIME.test(header.toLowerCase()) && !OF_YEAR.test(header) ? [...SPANS, ...INCOME_SPANS] : SPANS

/** A header without the span that it names: `BU` of `BU monatlich`. */
export const withoutSpan = (header: string): string =>
  spansOf(header)
    .reduce((rest, [pattern]) => rest.replace(pattern, ' '), header)
    .trim()

/** The span of the amounts of a column, if it is not a year. */
export interface PartOfYear {
  /** `a month`, `6 months`. */
  name: string
  /** By how much the amounts are multiplied to be those of twelve months. */
  factor: number
}

/** The span that a header names for its amounts, unless it is twelve months: `Monthly Rents`, `Annual Rents / 12`, `BI (6 months)`. */
export function partOfYear(header: string): PartOfYear | undefined {
  const text = header.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\s]+/g, ' ')
  const months = Number(MONTHS.exec(text)?.[1] ?? YEAR_MONTHS)
  if (months !== YEAR_MONTHS && months > 0) return { name: months === 1 ? 'a month' : `${months} months`, factor: YEAR_MONTHS / months }
  const [, factor, name] = spansOf(text).find(([pattern]) => pattern.test(text)) ?? []
  return factor === undefined || name === undefined ? undefined : { name, factor }
}
