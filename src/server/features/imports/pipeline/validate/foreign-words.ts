import { once } from '#contract/once.ts'

/** French, Spanish and German words for construction, without accents, with the English words that the patterns know. */
const CONSTRUCTION = `
non-combustible: incombustible|incombustibles|non combustible|non-combustible|no combustible|nicht brennbar|nichtbrennbar|unbrennbar
wood frame: ossature de bois|ossature en bois|ossature bois|charpente de bois|charpente en bois|estructura de madera|holzrahmen|holzrahmenbau|holzstander|holzbau|holzkonstruktion|fachwerk|bois|madera|holz
reinforced concrete: beton arme|hormigon armado|concreto armado|concreto reforzado|stahlbeton
concrete: beton|hormigon|concreto
masonry: maconnerie|mamposteria|mauerwerk|massivbau|massivbauweise|massiv
brick: brique|briques|ladrillo|ladrillos|backstein|ziegel|ziegelbau
stone: pierre|piedra|naturstein
steel frame: ossature metallique|ossature d'acier|ossature en acier|charpente metallique|charpente d'acier|estructura metalica|estructura de acero|stahlskelett|stahlskelettbau|stahlkonstruktion|stahlbau
steel: acier|acero|stahl
fire resistive: resistant au feu|resistante au feu|resistente al fuego|feuerbestandig
mixed: mixte|mixta|mixto|gemischt|mischbauweise
`

/** Whole answers below a header about sprinklers. */
const ANSWERS = `
yes: oui|ja|si|vorhanden
no: non|nein|nicht vorhanden
none: aucun|aucune|sans|ninguno|ninguna|sin|kein|keine|keiner|ohne
partial: partiel|partielle|partiellement|parcial|parcialmente|teilweise|teilschutz
full: complet|complete|totalement|completo|completamente|total|vollstandig|vollschutz
`

const wordsIn = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [english = '', words = ''] = line.split(': ')
        return words.split('|').map((word) => [word, english] as const)
      }),
  )

const construction = once(() => {
  const words = wordsIn(CONSTRUCTION)
  // Longer names contain shorter ones.
  const longest = [...words.keys()].toSorted((a, b) => b.length - a.length)
  return { words, pattern: new RegExp(`(?<!\\p{L})(?:${longest.join('|')})(?!\\p{L})`, 'gu') }
})
const answers = once(() => wordsIn(ANSWERS))

const withoutAccents = (lower: string): string => lower.normalize('NFKD').replace(/\p{M}/gu, '').replace(/’/g, "'")

/** A construction text in lower case with its foreign words in English. */
export function constructionInEnglish(lower: string): string {
  const { words, pattern } = construction()
  return withoutAccents(lower).replace(pattern, (word) => words.get(word) ?? word)
}

/** An answer in lower case in English; any other text as it is. */
export const answerInEnglish = (lower: string): string => answers().get(withoutAccents(lower)) ?? lower
