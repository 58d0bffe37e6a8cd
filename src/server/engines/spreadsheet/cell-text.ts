/** Undoes the `_x000D_` escapes of Office strings and drops what a database text cannot hold (NUL, lone surrogates). */
export function cleanText(text: string): string {
  let clean = text
  if (clean.includes('_x')) {
    clean = clean.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  if (clean.includes('\0')) clean = clean.replaceAll('\0', '')
  return clean.isWellFormed() ? clean : clean.toWellFormed()
}

/** Gathers the text of `t` elements (plain or in rich-text runs), leaving out phonetic hints. */
export function createTextGatherer() {
  let text = ''
  let inText = false
  let inPhonetic = false
  return {
    open(name: string) {
      if (name === 'rPh') inPhonetic = true
      else if (name === 't') inText = !inPhonetic
    },
    close(name: string) {
      if (name === 'rPh') inPhonetic = false
      else if (name === 't') inText = false
    },
    text(value: string) {
      if (inText) text += value
    },
    /** The text gathered so far; starts anew. */
    take(): string {
      const taken = cleanText(text)
      text = ''
      return taken
    },
  }
}
