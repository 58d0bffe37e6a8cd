import { withoutHiddenCharacters } from './route.ts'

/** Control characters and line separators, which would split the lines of lists, mails and logs. */
const LINE_BREAKERS = /[\p{Cc}\u2028\u2029]+/gu

/**
 * The name of a file in one line. Without hidden characters, among them those that change the reading direction: with these, a program
 * could look like a picture.
 */
export const visibleName = (name: string): string =>
  withoutHiddenCharacters(name.toWellFormed().normalize('NFC')).replace(LINE_BREAKERS, ' ').trim()
