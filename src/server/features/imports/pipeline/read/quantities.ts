const THING =
  '(?:unit|item|piece|pc|each|ea|case|carton|pallet|barrel|bbl|ton|tonne|lb|pound|kg|gallon|gal|bushel|room|bed|key|door|apartment|apt)'
const AMOUNT = '(?:\\p{Sc}|\\b(?:costs?|values?|price|rate|rents?|amount|rcv?|rcn|contents|bpp|stock|inventory))'
/** `Building/Unit` has numbers of units, so that only amounts and what is never numbered have a price after a slash. */
const OF_ONE = new RegExp(
  `\\bper[ _]${THING}\\b|(?<=${AMOUNT}) ?/ ?${THING}\\b|(?:(?<![\\p{L}\\p{N}])(?:each|apiece)|(?<=[\\p{L}\\p{N}][\\s(,/_-]{1,3})ea)(?=[\\s.)\\]]*$)|(?<![\\p{L}\\p{N}])unit[ _]?(?=(?:cost|price)s?\\b)`,
  'iu',
)

/** Whether a header names the amount of one of several things: `Unit Cost`, `Contents per unit`, `Equipment (each)`. */
export const namesAmountOfOne = (header: string): boolean => OF_ONE.test(header)

/** A header without the word that says that its amounts are those of one thing: `Equipment ()` of `Equipment (each)`. */
export const withoutOne = (header: string): string => header.replace(OF_ONE, ' ').trim()

const STORED = '(?:stock|inventory|merchandise|goods|materials|supplies|equipment|machinery)'
/** Without names of goods: the amounts of “Stock - Tires” are values. The units of “Contents - Units” may be apartments. */
const UNITS =
  'cases|cartons|pallets|skids|barrels|bbls?|tons?|tonnes|lbs?|pounds|kgs?|kilograms|gallons|gals?|lit(?:er|re)s|bushels|cwt|pcs|pieces|items|skus?|qty|quantity|' +
  'square (?:feet|meters)|cubic feet|cu ft'
const COUNTED = new RegExp(
  `\\b(?:(?:${STORED}|contents|bpp)[\\s,-]+(?:on hand[\\s,-]+)?(?:in )?(?:${UNITS})|${STORED}[\\s,-]+(?:in )?units|(?:equipment|machinery)[\\s,-]+(?:in )?(?:hp|kw|kva))$`,
)
const VALUE = /\b(?:values?|costs?)\b/

/** Whether a header, as comparable words, names how much there is of something, not its value: `stock cases`, `machinery hp`. */
export const namesQuantity = (words: string): boolean => COUNTED.test(words) && !VALUE.test(words)
