import { isTivPart, type PropertyFieldName } from '#contract/property-fields.ts'
import { cellText, isFilled, type Cell } from './cells.ts'
import { isFieldName } from './header-synonyms.ts'
import { isKnownHeader, normalizeHeader, scoreHeader, type NormalizedHeader } from './headers.ts'

/** A measure of a value names nothing that is insured. */
const MEASURE_ONLY =
  /^(?:(?:replacement|reproduction|reconstruction|actual|cash|cost|costs|value|rcv?|rcn|new|of|valeur|a|neuf|cout|de|valor|reposicion|reconstruccion)\s*)+$/
const IS_TOTAL = /\b(total|tiv|tsi)\b/
const REMARK = /(?<=\S)\s*\([^()]*\)\s*$/

const fieldOf = (text: string): PropertyFieldName | undefined => {
  const header = normalizeHeader(text)
  // Most words are no names of values, which this test shows faster than the score.
  if (!isKnownHeader(header) && !/\bcov/.test(header.words)) return undefined
  if (header.words === '' || MEASURE_ONLY.test(header.words)) return undefined
  const names = scoreHeader(header).filter(({ score }) => score >= 0.9)
  return names
    .map(({ target }) => target)
    .find((target): target is PropertyFieldName => {
      if (!isFieldName(target)) return false
      return isTivPart(target) || (target === 'stated_tiv' && IS_TOTAL.test(header.words))
    })
}

/** The field of the amount of a row whose coverage a word names, in English, French, Spanish or German: `BPP`, `Bâtiment`, `Lucro cesante`. */
export const coverageField = (text: string): PropertyFieldName | undefined =>
  fieldOf(text) ?? (text.endsWith(')') ? fieldOf(text.replace(REMARK, '')) : undefined)

/** Headers that people write above the names of coverages. */
const HEADER =
  /\b(coverages?|cov|cvg|subject of insurance|insured (?:item|interest|property type)|interest insured|items? insured|property insured|limit type|value type|garanties?|couvertures?|objet assure|biens? assures?|nature des biens|coberturas?|bien(?:es)? asegurados?|objeto asegurado|interes asegurado|tipo de bien)\b/

/** Whether a column has nothing but the names of coverages, by its header. */
export function isHeaderOfCoverages({ words }: Pick<NormalizedHeader, 'words'>): boolean {
  const rest = words.replace(HEADER, '').trim()
  return rest !== words && /^(?:type|name|description|code)?$/.test(rest)
}

const NAMED_SHARE_MIN = 0.5
const SHARE_MIN = 0.9
const FIELDS_MIN = 2

/** The column that names what the amount of each row insures, for schedules with several rows per location. */
export const findCoverageColumn = <C extends { header: string; cells: readonly Cell[] }>(columns: readonly C[]): C | undefined =>
  columns.find(({ header, cells }) => {
    const texts = cells.filter(isFilled).map(cellText)
    const byWord = Map.groupBy(texts, (text) => text.toLowerCase())
    if (texts.length === 0 || byWord.size > WORDS_MAX) return false
    const isNamed = HEADER.test(normalizeHeader(header).words)
    const unknownMax = texts.length * (1 - (isNamed ? NAMED_SHARE_MIN : SHARE_MIN))
    const fields = new Set<PropertyFieldName>()
    let unknown = 0
    // The most frequent first, so that few words of most columns are compared.
    for (const [word, { length }] of [...byWord].sort(([, x], [, y]) => y.length - x.length)) {
      const field = /\p{L}/u.test(word) ? coverageField(word) : undefined
      if (field === undefined) unknown += length
      else fields.add(field)
      if (unknown > unknownMax) return false
    }
    return fields.size >= (isNamed ? 1 : FIELDS_MIN)
  })

/** Columns of names or addresses have more words, which need not be compared. */
const WORDS_MAX = 60
