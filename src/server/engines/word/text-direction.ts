export type Direction = 'ltr' | 'rtl'

const RTL = String.raw`\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}`
const RTL_LETTER = new RegExp(`[${RTL}]`, 'u')
/** From a letter to the last letter of its direction or number, with the spaces and signs in between. */
const PARTS: Readonly<Record<Direction, RegExp>> = {
  rtl: new RegExp(String.raw`([${RTL}](?:(?:\P{L}|[${RTL}])*[${RTL}\p{Nd}])?)`, 'u'),
  ltr: new RegExp(String.raw`((?![${RTL}])\p{L}(?:[^${RTL}]*(?![${RTL}])[\p{L}\p{Nd}])?)`, 'u'),
}

/** The direction of the first letter; left to right without letters. */
export function directionOf(line: string): Direction {
  const letter = /\p{L}/u.exec(line)?.[0]
  return letter !== undefined && RTL_LETTER.test(letter) ? 'rtl' : 'ltr'
}

/** The parts of a line by their direction: all but the words of the other direction have that of the paragraph. */
export function partsByDirection(line: string, paragraph: Direction): { text: string; direction: Direction }[] {
  const other = paragraph === 'ltr' ? 'rtl' : 'ltr'
  return line
    .split(PARTS[other])
    .map((text, at) => ({ text, direction: at % 2 === 1 ? other : paragraph }))
    .filter(({ text }) => text !== '')
}
