/** At the start only and as a whole word: `Grand Prairie` and `Rio Grande Blvd` are places. */
export const TOTAL_WORD = /^\W*(grand total|(sub|sous)-?\s?totals?|total(s|es)?|totaux|sum|somme|suma)\b/i
/** At the end only if a row has no other text: `Texas Subtotal`. */
export const TOTAL_AT_END = /\s(sub-?\s?)?totals?\W*$/i
const SUM_AT_END = /\s(sums?|combined)\W*$/i
const ALL =
  /\ball (?:the )?(?:\w+ )?(?:buildings|bldgs|locations|locs|sites|structures|properties)\b|\b(?:entire|whole) (?:campus|site|complex|location|property)\b/i

/** As the name or number of a building: those of all of them, or from one to another. */
const OF_BUILDINGS = /^\W*(?:all|ttl|site|whole site|campus|complex|combined|\d{1,3}\s?(?:-|–|to|thru|through)\s?\d{1,3})\W*$/i

/** Whether a label names the sum of several buildings, next to other texts: `Campus 1 Total`, `North Campus - all buildings`. */
export const namesSum = (text: string): boolean =>
  [TOTAL_WORD, TOTAL_AT_END, SUM_AT_END, ALL, OF_BUILDINGS].some((pattern) => pattern.test(text))

/** Alone, without another text: they may be the name of a place, too. */
const SUM_ALONE = /^\W*(net|overall|aggregate|combined|all|gesamt|insgesamt|net total|together|portfolio|program(me)?|schedule)\W*$/i

/** Whether a label alone in its row probably names a sum. */
export const mayNameSum = (text: string): boolean => SUM_ALONE.test(text)

/** Next to other texts, a label that hardly means anything else; a name such as `Total Wine & More` begins with the word. */
const CERTAIN = /^\W*(?:(?:grand|sub|net|sous)[-\s]*)?(?:totals?|ttl)\W*$/i

/** Whether a cell of a row says that it is a total, with any amounts. */
export const isTotalLabel = (text: string): boolean => CERTAIN.test(text) || TOTAL_AT_END.test(text)

/** The title of a table that adds up the locations above it. */
const RECAP = /^\W*(?:recap(?:itulation)?|summary|breakdown|(?:sub)?totals?)(?![\p{L}\p{N}])/iu
export const isRecapTitle = (text: string): boolean => RECAP.test(text)

const ANSWER_CHARACTERS = 12
const ANSWER = /^\W*(?:none|partial(?:ly)?|full(?:y)?|vacant|occupied|unoccupied|yes|no)\W*$/i

/** Whether a cell answers a question about a location, so that "Total" may be another answer below the same header. */
export const isAnswer = (text: string): boolean => text.length <= ANSWER_CHARACTERS && ANSWER.test(text)

/** Whether the cells below a header say of how much of a location something is true. */
export const asksHowMuch = (header: string): boolean =>
  /\b(?:sprinkler(?:s|ed)?|vacan(?:t|cy)|(?:un)?occupied|occupancy|coverage|protect(?:ed|ion))\b/i.test(header)
