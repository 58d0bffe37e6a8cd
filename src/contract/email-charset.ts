const UTF_8 = 65_001
const [WINDOWS_FIRST, WINDOWS_LAST] = [1_250, 1_258]

/** The character set of formatted text in a message of Outlook, by the number of its code page. */
export const charsetOfCodePage = (codePage = UTF_8): string =>
  codePage === UTF_8 ? 'utf-8' : `windows-${codePage >= WINDOWS_FIRST && codePage <= WINDOWS_LAST ? codePage : 1_252}`
