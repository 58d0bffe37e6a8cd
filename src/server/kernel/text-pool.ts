/** More different texts than this are not repeated often enough to be worth remembering. */
const TEXTS_MAX = 5_000

/**
 * Returns one string for equal texts, so that thousands of objects that are held at once share it. Each value that a database or a file
 * returns is a string of its own otherwise.
 */
export function textPool(textsMax = TEXTS_MAX): <T>(value: T) => T {
  const texts = new Map<unknown, unknown>()
  return <T>(value: T): T => {
    if (typeof value !== 'string') return value
    const known = texts.get(value)
    // The key is equal to the value.
    if (known !== undefined) return known as T
    if (texts.size < textsMax) texts.set(value, value)
    return value
  }
}
