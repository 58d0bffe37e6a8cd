const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i
const NO_VALUE = /\bundefined\b|\bNaN\b|\[object [A-Z]\w*\]|\bnull\b/
const KEY = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/
/** Around a word, as in `(first_name)` or `first_name:`. */
const PUNCTUATION = /^[("'“‘]+|[)"'”’:;,.!?]+$/g
const SHOWN_CHARACTERS = 80

/** What is wrong with a text that users see: values of programs in place of words. */
export function textProblems(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const excerpt = line.trim().slice(0, SHOWN_CHARACTERS)
    const key = line.split(/\s+/).map(bare).find(isKey)
    return [
      ...(ID.test(line) ? [`id in the text: ${excerpt}`] : []),
      ...(NO_VALUE.test(line) ? [`no value in the text: ${excerpt}`] : []),
      ...(key === undefined ? [] : [`raw key ${key} in the text: ${excerpt}`]),
    ]
  })
}

const bare = (word: string) => word.replace(PUNCTUATION, '')
/** Names of files and addresses have dots, slashes or signs in them. */
const isKey = (word: string) => KEY.test(word)
