/** Where a text was found: `name` is the name of a test, `label` a string or JSX text, `prose` a Markdown paragraph. */
export type TextKind = 'comment' | 'name' | 'label' | 'prose'

export interface WordingRule {
  /** A space matches any white space, also across the lines of one comment. Case is ignored unless the pattern has upper case. */
  pattern: string
  instead: string
  /** Where the rule applies; everywhere when absent. */
  in?: readonly TextKind[]
}

/** Words that are wrong about code but may be right in an interface text. */
const CODE: readonly TextKind[] = ['comment', 'name', 'prose']
const WRITTEN: readonly TextKind[] = ['comment', 'prose']

const OUTSIDE = 'give the reason in your own words, or refer to a section of docs/product.md or docs/domain.md'
const OUTSIDE_DOCUMENTS: readonly WordingRule[] = [
  { pattern: String.raw`\bdecisions? (?:[A-Z]\d{1,3}\b|[A-Z]\b)`, instead: OUTSIDE, in: WRITTEN },
  { pattern: String.raw`\b[CQ]\d{1,3}\b`, instead: OUTSIDE, in: CODE },
  { pattern: String.raw`\bS\d (?:§|\d)`, instead: OUTSIDE },
  { pattern: String.raw`§`, instead: OUTSIDE, in: CODE },
  { pattern: String.raw`\bPart [A-H]\b`, instead: OUTSIDE, in: CODE },
  { pattern: String.raw`\bdomain (?:section|part|document|§|[A-Z]?\d)`, instead: OUTSIDE, in: CODE },
  { pattern: String.raw`\bspec(?:ification)?,? (?:S\d|section|part)\b`, instead: OUTSIDE, in: CODE },
  {
    pattern: String.raw`(?<!docs/)(?<!docs/\S*)\b(?:interface|domain|decisions|competition|libraries|performance|security|styles|writing)\.md\b`,
    instead: OUTSIDE,
  },
  { pattern: String.raw`\bdesign: `, instead: OUTSIDE, in: CODE },
  { pattern: String.raw`\bissue #?\d+\b`, instead: OUTSIDE, in: WRITTEN },
  { pattern: String.raw`(?:\.\./)+shared\b|\bshared/(?:spec|design|data|hooks)\b`, instead: 'a path inside the repository' },
  { pattern: String.raw`(?<![\w.])/(?:work|root|home/\w+|Users/\w+)/`, instead: 'a path inside the repository' },
]

const BANNED: readonly WordingRule[] = [
  { pattern: String.raw`\b(?:for ever|forever)\b`, instead: '"permanently", "indefinitely"' },
  { pattern: String.raw`\banew\b`, instead: '"again"' },
  { pattern: String.raw`\bafresh\b`, instead: '"again"' },
  { pattern: String.raw`\bso many\b`, instead: 'the number, or "N"' },
  { pattern: String.raw`\bwho may\b`, instead: '"users with permission to …", "allowed to"' },
  { pattern: String.raw`\bbesides?\b`, instead: '"next to", "in addition to"' },
  { pattern: String.raw`\bwho(?:so)?ever\b`, instead: '"any user who", "the person who"' },
  { pattern: String.raw`\bwhatever\b`, instead: '"any", "regardless of"' },
  {
    pattern: String.raw`\bstand(?:s|ing)?\b(?!-in|-alone| alone)|\bstood\b(?<!understood)`,
    instead: '"is", "exists", "remains valid", "represents"',
  },
  {
    pattern: String.raw`\b(?:falls?|fell|fallen)\b(?! (?:back|through|outside|inside|within|between|into|in|on|off|apart|below|behind|short))`,
    instead: '"becomes invalid", "is removed", "expires"',
    in: CODE,
  },
  { pattern: String.raw`\b(?:tell|tells|told|telling)\b`, instead: '"notify", "publish", "report", "show", "distinguish"' },
  { pattern: String.raw`\b(?:hears?|heard|hearing)\b`, instead: '"receive", "subscribe to"' },
  {
    pattern: String.raw`\b(?:is|are|was|were|be|been|being) kept\b(?! (?:as the|or waived))`,
    instead: '"is cached", "is stored", "is retained"',
    in: CODE,
  },
  {
    pattern: String.raw`\bkept (?:for|in|until|while|by|with|lists?|bod(?:y|ies)|answers?|plans?|sessions?)\b`,
    instead: '"cached", "stored", "retained"',
    in: CODE,
  },
  { pattern: String.raw`\bkeeps?\b(?= (?:a|an|one|every|all|no|nothing|them) )`, instead: '"caches", "stores", "retains"', in: CODE },
  {
    pattern: String.raw`\bask(?:s|ed|ing)?\b(?! (?:the user|your|support|whether|before|for (?:a |the )?(?:confirmation|(?:one-time )?code|password|name|second factor)))`,
    instead: '"requests", "requested", "calls"; "asks the user" is fine',
    in: CODE,
  },
  {
    pattern: String.raw`\bmeets?\b(?! (?:the |a |an |its )?(?:limit|requirement|condition|threshold|target|goal|criteria))|\bmet (?:in|at|by|twice|when|again|with)\b`,
    instead: '"matches", "encounters", "satisfies"',
    in: CODE,
  },
  { pattern: String.raw`\b(?:speaks?|spoke|spoken)\b`, instead: '"uses", "supports"' },
  { pattern: String.raw`\b(?:knows|knew|(?:does|do) not know|to know)\b`, instead: '"has", "reads", "depends on"', in: CODE },
  { pattern: String.raw`\b(?:is|are) (?:not|none of) yours\b|\bisn[’']t yours\b`, instead: '"You don\'t have access to …"' },
  { pattern: String.raw`\bgiven up\b`, instead: '"canceled", "stopped"' },
  {
    pattern: String.raw`\b(?:not|nothing|nobody|no longer) there any ?more\b|\bany more(?=[.,;:)]|$)`,
    instead: '"no longer exists", "no longer"',
  },
  { pattern: String.raw`\b(?:throws?|thrown|threw|throwing) (?:it |them |\w+ )?away\b`, instead: '"discard", "delete"' },
  { pattern: String.raw`\blook(?:s|ed|ing)? at\b`, instead: '"read", "check", "view"', in: CODE },
  { pattern: String.raw`\b(?:nobody|no-one|no one)\b`, instead: '"no user", "no caller"' },
  { pattern: String.raw`\b(?:somebody|someone) else\b|\bsomebody\b`, instead: '"another user", "a user"' },
  { pattern: String.raw`\b(?:everybody|anybody)\b`, instead: '"all users", "everyone", "any user"' },
  { pattern: String.raw`\brefus(?:e|es|ed|al|als|ing)\b`, instead: '"reject", "deny", "error"' },
  { pattern: String.raw`\bseldom\b`, instead: '"rarely"' },
  { pattern: String.raw`\bthus\b`, instead: '"so"' },
  { pattern: String.raw`\bwhom\b`, instead: '"who"; rewrite the sentence' },
  { pattern: String.raw`\bupon\b`, instead: '"on", "when"' },
  { pattern: String.raw`\blest\b`, instead: '"so that … not"' },
  { pattern: String.raw`\bshall\b`, instead: '"must", "will"' },
  { pattern: String.raw`\bover and over\b|\bonce and for all\b`, instead: '"repeatedly"', in: CODE },
  { pattern: String.raw`\b(?:drawn|draws) (?:by|as|in|with|the)\b`, instead: '"rendered", "renders"', in: CODE },
  { pattern: String.raw`\b(?:rules? of the house|house rules?|headmast)\b`, instead: '"conventions", the usual term' },
]

/** Stems of British spellings and the American form. */
const BRITISH: Readonly<Record<string, string>> = {
  [String.raw`\w*(?:organ|normal|recogn|author|initial|serial|summar|custom|categor|capital|minim|maxim|optim|real|util|final|general|special|synchron|standard|visual|local|memor|prior|item|harmon|anonym|apolog|emphas|critic|penal|token|parameter|random|material|neutral|canonical|virtual|equal|central|personal|rational|stabil|sanit|symbol)is(?:e|ed|es|er|ers|ing|ation|ations)`]:
    '-ize, -ization',
  [String.raw`\w*analys(?:e|ed|ing|er)`]: 'analyze',
  [String.raw`(?:re|dis)?colou?r(?<=our)(?:s|ed|ing|ful|less)?`]: 'color',
  [String.raw`(?:mis)?behaviours?`]: 'behavior',
  [String.raw`neighbour(?:s|ing|hood|hoods)?`]: 'neighbor',
  [String.raw`favour(?:s|ed|ite|ites|able)?`]: 'favor, favorite',
  [String.raw`(?:honour|labour|humour|harbour|rumour)(?:s|ed|ing)?`]: '-or',
  [String.raw`centre(?:s|d)?`]: 'center',
  [String.raw`licence(?:s|d)?`]: 'license',
  [String.raw`(?:defence|offence)s?`]: '-ense',
  [String.raw`(?:kilo|centi|milli)?metres?`]: 'meter',
  [String.raw`grey(?:s|ed)?`]: 'gray',
  [String.raw`cancell(?:ed|ing)`]: 'canceled, canceling',
  [String.raw`(?:label|travel|model|signal|total|fuel|level|tunnel|channel|initial)l(?:ed|ing)`]: 'one l: labeled, modeling',
  [String.raw`catalogues?|analogues?`]: 'catalog, analog',
  [String.raw`whilst|amongst`]: 'while, among',
  [String.raw`artefacts?`]: 'artifact',
  [String.raw`judgements?`]: 'judgment',
  [String.raw`fulfils?`]: 'fulfill',
  [String.raw`programmes?`]: 'program',
  [String.raw`enquir(?:y|ies|e)`]: 'inquiry, request',
  [String.raw`learnt|spelt|burnt|leapt`]: 'learned, spelled',
}

export const WORDING_RULES: readonly WordingRule[] = [
  ...OUTSIDE_DOCUMENTS,
  ...BANNED,
  ...Object.entries(BRITISH).map(([stem, american]) => ({
    pattern: String.raw`\b(?:${stem})\b`,
    instead: `American spelling: ${american}`,
  })),
]

/**
 * Texts that the product's specification or outside data fix. `path` is a prefix; `text` is a part of the text with the violation.
 * A name, comment or error message never belongs here: write it differently.
 */
export const WORDING_EXCEPTIONS: readonly { path: string; text: string; reason: string }[] = [
  { path: '', text: 'systems, please stand by.', reason: 'The specification fixes the text of the loading overlay.' },
  { path: '', text: 'Standing seam metal', reason: 'A roof covering in the code list.' },
  { path: 'src/contract/countries.ts', text: 'Heard Island', reason: 'The name of a territory.' },
  { path: 'src/server/features/imports/', text: 'cost centre', reason: 'A header found in spreadsheets.' },
  { path: 'src/server/features/imports/', text: 'centre commercial', reason: 'A French cell value found in spreadsheets.' },
  { path: 'src/server/features/imports/', text: 'data centre', reason: 'A cell value found in spreadsheets.' },
  { path: 'src/server/engines/address/', text: 'CENTRE:CTR', reason: 'A street suffix found in addresses.' },
]
