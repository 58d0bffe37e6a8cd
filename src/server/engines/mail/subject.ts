/** Lists of messages show less; a name or a message of a user in it can have 500 characters. */
const CHARACTERS_MAX = 120
/** A word that is longer than this is cut, so that the rest of the subject is not lost with it. */
const WORD_MAX = 40

/** In one line, and with an ellipsis after a word if it is too long. */
export function subjectLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= CHARACTERS_MAX) return line
  const start = line.slice(0, CHARACTERS_MAX)
  const blank = start.lastIndexOf(' ')
  const words = blank < CHARACTERS_MAX - WORD_MAX ? start : start.slice(0, blank)
  return `${words.toWellFormed().replace(/[\s,;:.–-]+$/, '')}…`
}
