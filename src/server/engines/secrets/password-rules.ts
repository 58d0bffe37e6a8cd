import { PASSWORD_MIN_CHARACTERS } from '#contract/limits.ts'

const COMMON = 'This password is used by many people and is easy to guess. Please choose another one.'
const NAMED = 'Please choose a password that does not consist of your name, your email address, or the name of your company or the product.'
const DIFFERENT_MIN = 4
const SIMPLE = `Please use at least ${PASSWORD_MIN_CHARACTERS} characters that are not blanks, and at least ${DIFFERENT_MIN} different ones.`
/** Characters that make a new password of a common one or of a name: "password2026!" is as easy to guess as "password". */
const ADDED_MAX = 5
const NAME_MIN_CHARACTERS = 3

/** Why a password is too easy to guess, or undefined. `names` are words that others know of the user and of the product. */
export async function passwordProblem(password: string, names: readonly string[]): Promise<string | undefined> {
  const text = folded(password)
  const solid = text.replace(/\s/g, '')
  if (solid.length < PASSWORD_MIN_CHARACTERS || new Set(solid).size < DIFFERENT_MIN) return SIMPLE
  const rest = withoutNames(text, names.map(folded))
  if (rest !== text && rest.replace(/\s/g, '').length <= ADDED_MAX) return NAMED
  if (isSequence(solid) || (await isCommon(text, solid))) return COMMON
  return undefined
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase().trim()

function withoutNames(text: string, names: readonly string[]): string {
  const words = names.flatMap((name) => [name, name.replace(/\s/g, ''), ...name.split(/[^\p{L}\p{N}]+/u)])
  const long = [...new Set(words)].filter((word) => word.length >= NAME_MIN_CHARACTERS).toSorted((a, b) => b.length - a.length)
  return long.reduce((rest, word) => rest.replaceAll(word, ''), text)
}

/** The list is loaded when the first password is set: it takes 9 MB and 80 ms. */
async function isCommon(text: string, solid: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const list = dictionary['passwords-common']
  const core = solid.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const plain = solid.replace(/[@430157$!]/g, (character) => LEET[character] ?? character)
  const candidates = [text, solid, plain, ...(solid.length - core.length <= ADDED_MAX ? [core] : [])]
  return candidates.some((candidate) => candidate !== '' && list.includes(candidate))
}

const LEET: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '0': 'o', '1': 'i', '!': 'i', '5': 's', $: 's', '7': 't' }

/** "abcdefgh" and "87654321": each character follows the one before. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)))
  return steps.size === 1 && [1, -1].includes([...steps][0] ?? 0)
}
