/** Also after spaces and as full-width characters, which some programs treat alike. */
const BEGINS_LIKE_FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u

/** Text that begins like a formula, with an apostrophe: a spreadsheet program that opens delimited text would compute it. */
export const guarded = (text: string): string => (BEGINS_LIKE_FORMULA.test(text) ? `'${text}` : text)

/** Text without the apostrophe of `guarded`. */
export const unguarded = (text: string): string => (text.startsWith("'") && BEGINS_LIKE_FORMULA.test(text.slice(1)) ? text.slice(1) : text)
