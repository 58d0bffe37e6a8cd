/** A table of words by their meaning, written as `meaning:word,word; meaning:word`, as the meaning of each word. */
export const wordTable = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('; ').flatMap((entry) => {
      const [meaning = '', words = ''] = entry.split(':')
      return words.split(',').map((word) => [word, meaning] as const)
    }),
  )
