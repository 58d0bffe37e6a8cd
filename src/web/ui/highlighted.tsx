import { Fragment } from 'react'

const SEPARATOR = /[\s\p{P}\p{S}]/u
const APOSTROPHE = /['`’‘]/

/** The text in one spelling, as search compares it, with the place of each of its characters in the text. */
function folded(text: string): { words: string; places: number[] } {
  let words = ' '
  const places = [0]
  let at = 0
  for (const character of `${text} `) {
    const plain = SEPARATOR.test(character) ? ' ' : character.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
    if (!APOSTROPHE.test(character) && !(plain === ' ' && words.endsWith(' '))) {
      words += plain
      for (let count = 0; count < plain.length; count += 1) places.push(at)
    }
    at += character.length
  }
  return { words, places }
}

/** Which characters of the text belong to a match. */
function matchedPlaces(text: string, matched: readonly string[]): Set<number> {
  const { words, places } = folded(text)
  const marked = new Set<number>()
  for (const part of matched) {
    for (let from = words.indexOf(part); part !== '' && from !== -1; from = words.indexOf(part, from + 1))
      for (let at = from; at < from + part.length; at += 1) if (words[at] !== ' ' || part.trim().includes(' ')) marked.add(places[at] ?? 0)
  }
  return marked
}

/** A text with its matches marked. `matched` are parts of words, or whole words between spaces, in lower case without accents. */
export function Highlighted({ text, matched }: { text: string; matched: readonly string[] }) {
  const marked = matchedPlaces(text, matched)
  const runs: { from: number; text: string; isMatch: boolean }[] = []
  for (let at = 0; at < text.length; at += 1) {
    const last = runs.at(-1)
    const isMatch = marked.has(at)
    if (last?.isMatch === isMatch) last.text += text[at]
    else runs.push({ from: at, text: text[at] ?? '', isMatch })
  }
  return runs.map(({ from, text: part, isMatch }) => (isMatch ? <mark key={from}>{part}</mark> : <Fragment key={from}>{part}</Fragment>))
}
