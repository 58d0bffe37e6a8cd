/** One group of three after a dot proves nothing: 1.125 is a height. */
const EUROPEAN = /^-?\d{1,3}(\.\d{3}){2,}(,\d+)?$|^-?\d{1,3}(\.\d{3})+,\d+$|^-?\d+,\d{1,2}$/
const AMERICAN = /^-?\d{1,3}(,\d{3})+(\.\d+)?$|^-?\d+\.\d{1,2}$/

export const looksEuropean = (text: string): boolean => EUROPEAN.test(bare(text)) && !AMERICAN.test(bare(text))
export const looksAmerican = (text: string): boolean => AMERICAN.test(bare(text))

const bare = (text: string) => text.replace(/[$€£\s]/g, '')

/** The number a text holds, `1,234.5` or (European) `1.234,5`, with parentheses for negative; undefined when it is none. */
export function parseNumber(text: string, european: boolean): number | undefined {
  const trimmed = text.trim()
  const inParentheses = /^\((.+)\)$/.exec(trimmed)
  const body = (inParentheses?.[1] ?? trimmed).replace(/[\s\u00a0']/g, '').replace(/[−–]/g, '-')
  const plain = european ? body.replace(/\./g, '').replace(',', '.') : body.replace(/,(?=\d{3}(\D|$))/g, '')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined
  const value = Number(plain)
  return inParentheses ? -value : value
}
