import { wordTable } from './word-table.ts'

/** The meaning of single abbreviated words in headers. */
const WORDS = wordTable(
  'building:bldg,bld; buildings:bldgs; location:loc; locations:locs; number:no,nbr,nb,num,nro,numero; year:yr; square feet:sqft,sf; value:val,vals,valu,amt,amount; insured:ins; ' +
    'replacement:repl,replc,replmt,replcmt,rplcmt; contents:cnts,cntnts,conts,cts,contnts; business:bus,busn,busi; income:incm; interruption:interr,interrup,interrpt; ' +
    'machinery:mach,mchy,machy; equipment:equip,equipt,eqpt,eqmt,eqp; merchandise:mdse; structure:struct; structures:structs; furniture:furn; ' +
    'construction:constr,const,cnstr,cnst; occupancy:occ,occup,occy,occpy,occpncy; ' +
    'sprinkler:sprk,sprink,spk,sprkl,sprklr,spklr,sprkler,sprnk,sprnklr,sprinkl; sprinklered:sprklrd,spklrd,sprkd,sprinkld; property:prop; address:addr; ' +
    'valuation:valution; declared value:dv; built:blt; stories:stry,strys,sty,stys; floors:flrs; class:cls; total:tot,ttl',
)

const END = '(?![\\p{L}\\p{N}])'
const START = '(?<![\\p{L}\\p{N}])'
const after = (before: string, words: string) => new RegExp(`(?<=${START}(?:${before}) )(?:${words})${END}`, 'gu')

/** The meaning of words next to certain others: "Inc" is a company or income, "EQ" an earthquake or equipment. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [after('business|rental|rents?|net|gross|loss of|lost', 'inc'), 'income'],
  [after('business', 'int|inter|intr'), 'interruption'],
  [new RegExp(`${START}ord(?:inary)? (?:payroll|payrl|pr)${END}`, 'gu'), 'ordinary payroll'],
  [after('tenants?|leasehold|lease|site|land', 'imp|impr|imprs|improv|imprv|impts|imprvmts'), 'improvements'],
  [
    after('computer|comp|office|kitchen|medical|mobile|movable|production|process|electronic|machinery|machinery (?:&|and)', 'eq'),
    'equipment',
  ],
  [new RegExp(`${START}comp(?= (?:equipment|hardware)${END})`, 'gu'), 'computer'],
  [new RegExp(`${START}pers(?= property${END})`, 'gu'), 'personal'],
  [after('furniture|furniture (?:&|and)', 'fixt|fixts|fix|fxt'), 'fixtures'],
  // Invoices and investments have numbers and dates.
  [
    new RegExp(
      `^inv$|^inv(?= (?:value|values|limit|total|cost|replacement|insured|tiv)${END})|(?<=^(?:value|values|insured value|insurable value)(?: of| -)? )inv$`,
      'gu',
    ),
    'inventory',
  ],
]

/** Comparable words, with abbreviations expanded. */
export const expandWords = (text: string): string => {
  const words = text
    .split(/(?=[\s/&,-])|(?<=[\s/&,-])/)
    .map((word) => WORDS.get(word) ?? word)
    .join('')
    .replace(/number( number)+/g, 'number')
    .replace(/\s+/g, ' ')
    .trim()
  return PHRASES.reduce((expanded, [pattern, meaning]) => expanded.replace(pattern, meaning), words)
}
