/** A header without raised digits and signs, but for those of units (`m²`) and powers, and without numbers in brackets at the end. */
export const withoutFootnotes = (header: string): string => {
  const text = header.replace(/(?<!\b(?:k?m|ft|sq)\s?|[x×*]\s?10)[\u00b9\u00b2\u00b3\u2070-\u2079\u1d43-\u1d49†‡§¶]+/giu, ' ')
  return text.replace(/(?<=\p{L}.*)\s*\[\d{1,2}\]\s*$/u, '')
}

/** The words of a header without a share of 100 %: values are stated for all of what is insured unless a header says otherwise. */
export const withoutShare = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^100 percent (?:of )?(?=\S)|(?<=\S) (?:at |@ ?)?100 percent$/g, '')
    .trim()
