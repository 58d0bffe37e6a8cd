import { DIRECTIONALS, ORDINALS, SUFFIXES, UNIT_WORDS } from './address-words.ts'

interface NormalStreet {
  /** House number, the low one of a range; empty when the line has none. */
  number: string
  /** The whole range when one is given, `10740-10760`. */
  range: string | null
  street: string
  unit: string
}

/**
 * A street line in the standard short form: upper case, no punctuation, suffixes and directionals shortened, unit split off.
 * Source: USPS Publication 28, as far as schedules need it. Never fails; a line that is no address comes back as its words.
 */
export function normaliseStreet(line: string, unitLine = ''): NormalStreet {
  const words = wordsOf(line)
  const { number, range, rest } = takeNumber(words)
  const { street, unit } = takeUnit(rest)
  const ownUnit = wordsOf(unitLine).filter((word) => !UNIT_WORDS.has(word))
  return { number, range, street: street.map(shorten).join(' '), unit: [...unit, ...ownUnit].join(' ') }
}

function wordsOf(line: string): string[] {
  return line
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/#/g, ' # ')
    .replace(/[^A-Z0-9#/-]/g, ' ')
    .replace(/(?<!\d)[-/]|[-/](?!\d)/g, ' ')
    .split(' ')
    .filter((word) => word !== '')
}

function takeNumber(words: string[]): { number: string; range: string | null; rest: string[] } {
  const [first = '', second = '', third = ''] = words
  const range = /^(\d+)-(\d+)$/.exec(first)
  if (range) return { number: range[1] ?? '', range: first, rest: words.slice(1) }
  if (!/^\d+[A-Z]?$/.test(first)) return { number: '', range: null, rest: words }
  if (/^\d\/\d$/.test(second)) return { number: `${first} ${second}`, range: null, rest: words.slice(2) }
  // Two house numbers side by side are a range whose dash was lost.
  if (/^\d+$/.test(first) && /^\d+$/.test(second) && third !== '' && Number(second) > Number(first) && second.length === first.length) {
    return { number: first, range: `${first}-${second}`, rest: words.slice(2) }
  }
  return { number: first, range: null, rest: words.slice(1) }
}

function takeUnit(words: string[]): { street: string[]; unit: string[] } {
  const at = words.findIndex((word, index) => index > 0 && UNIT_WORDS.has(word))
  if (at === -1) return { street: words, unit: [] }
  const value = words.slice(at + 1).filter((word) => !UNIT_WORDS.has(word))
  if (value.length > 0) return { street: words.slice(0, at), unit: value }
  // `3RD FLOOR`: the value stands before the word.
  return { street: words.slice(0, at - 1), unit: words.slice(at - 1, at) }
}

const shorten = (word: string): string =>
  word === 'SAINT' ? 'ST' : (DIRECTIONALS.get(word) ?? SUFFIXES.get(word) ?? ORDINALS.get(word) ?? word)
