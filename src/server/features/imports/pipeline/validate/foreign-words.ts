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

/** The same for occupancies. */
const OCCUPANCY = `
city hall: hotel de ville|mairie|rathaus|gemeindehaus|ayuntamiento
mixed-use: wohn- und geschaftshaus|wohn- und geschaftsgebaude|usage mixte|uso mixto|mischnutzung
nursing home: maison de retraite|ehpad|pflegeheim|altenheim|altersheim|seniorenheim|residencia de ancianos
office: bureaux|immeuble de bureaux|siege social|buro|buros|burogebaude|burohaus|burohauser|verwaltung|verwaltungsgebaude|oficina|oficinas
warehouse: entrepot|entrepots|stockage|plateforme logistique|lager|lagerhalle|lagerhallen|lagerhaus|lagergebaude|hochregallager|logistikzentrum|logistikhalle|almacen|almacenes
factory: usine|usines|fabrique|atelier de production|ateliers|atelier de fabrication|fabrik|fabrikgebaude|fabrikhalle|werk|werkhalle|werkstatt|werkstatten|werkstattgebaude|produktion|produktionshalle|produktionsgebaude|produktionsstatte|fertigung|fertigungshalle|montagehalle|fabrica|nave industrial
store: magasin|magasins|boutique|boutiques|commerces|commerce de detail|local commercial|locaux commerciaux|ladenlokal|geschaft|geschafte|geschaftshaus|einzelhandel|verkauf|verkaufsflache|verkaufsraum|tienda|tiendas|local comercial|locales comerciales
shopping center: centre commercial|einkaufszentrum|centro comercial
supermarket: supermarche|hypermarche|supermarkt|supermercado
apartments: logements|appartement|appartements|immeuble d'habitation|immeuble residentiel|immeuble de logements|mehrfamilienhaus|mehrfamilienhauser|wohnung|wohnungen|wohnanlage|mietshaus|apartamentos|edificio de viviendas
dwelling: logement|maison|maison individuelle|habitation|villa|wohnhaus|wohnhauser|wohngebaude|einfamilienhaus|zweifamilienhaus|reihenhaus|vivienda|viviendas
hotel: gasthof|pension|hostellerie|auberge
school: ecole|ecoles|lycee|creche|schule|schulen|schulgebaude|grundschule|berufsschule|kindergarten|kita|kindertagesstatte|escuela|colegio
university: universite|hochschule|universitat|universidad
hospital: hopital|krankenhaus|krankenhauser
clinic: clinique|klinik|cabinet medical|arztpraxis|clinica
restaurant: restaurante|gaststatte|gastronomie|kantine
church: eglise|kirche|iglesia
parking garage: parkhaus|tiefgarage|parc de stationnement|stationnement|aparcamiento|estacionamiento
gym: gymnase|sporthalle|turnhalle|salle de sport|gimnasio
theater: cinema|cine|kino
pool: piscine|schwimmbad|hallenbad|piscina
museum: musee|museo
barn: grange|scheune
farm: exploitation agricole|bauernhof|landwirtschaft
data center: rechenzentrum|centro de datos
vacant: inoccupe|inoccupee|leerstehend|leerstand|unbewohnt|desocupado|desocupada
vacant land: terrain nu|grundstuck|terreno
and: et|und|mit|avec|sowie
`
/** Words with another meaning in English texts, which are a whole occupancy. */
const WHOLE_OCCUPANCY = `
office: bureau
factory: atelier|taller
store: commerce|laden
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

function patternOf(words: ReadonlyMap<string, string>) {
  // Longer names contain shorter ones.
  const longest = [...words.keys()].toSorted((a, b) => b.length - a.length)
  return { words, pattern: new RegExp(`(?<!\\p{L})(?:${longest.join('|')})(?!\\p{L})`, 'gu') }
}

const construction = once(() => patternOf(wordsIn(CONSTRUCTION)))
const occupancy = once(() => patternOf(wordsIn(OCCUPANCY)))
const wholeOccupancy = once(() => wordsIn(WHOLE_OCCUPANCY))
const answers = once(() => wordsIn(ANSWERS))

const withoutAccents = (lower: string): string => lower.normalize('NFKD').replace(/\p{M}/gu, '').replace(/’/g, "'")

/** A construction text in lower case with its foreign words in English. */
export function constructionInEnglish(lower: string): string {
  const { words, pattern } = construction()
  return withoutAccents(lower).replace(pattern, (word) => words.get(word) ?? word)
}

/** An occupancy in lower case with its foreign words in English. */
export function occupancyInEnglish(lower: string): string {
  const { words, pattern } = occupancy()
  const plain = withoutAccents(lower)
  return wholeOccupancy().get(plain.trim()) ?? plain.replace(pattern, (word) => words.get(word) ?? word)
}

/** An answer in lower case in English; any other text as it is. */
export const answerInEnglish = (lower: string): string => answers().get(withoutAccents(lower)) ?? lower
