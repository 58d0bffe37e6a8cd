import { isMoneyField } from './header-synonyms.ts'
import { normalizeHeader, scoreHeader } from './headers.ts'
import { withoutSpan } from './part-of-year.ts'
import { namesQuantity, withoutOne } from './quantities.ts'

/** Words of headers above amounts. Codes, counts, areas and shares have other words. */
export const MONEY_WORDS =
  /\b(values?|insured|insurable|tiv|tsi|sum|cost|rents?|income|revenue|contents|stock|inventory|machinery|equipment|edp|bi|bpp|ffe|improvements|expense|amount|payroll|earnings|profit|furniture|fixtures|supplies|goods|merchandise|materials|(?:yard|outdoor|open|personal|real|insured|covered|leased|mobile|other|misc) property|property (?:in|of) \w+|tools|arts?|signs?|fences?|damage|debris|ordinance|pd|cont|bldg|building|buildings|rcv|rcn|extended price)\b|^extended$/
/** Words for what is insured. */
const INSURED_WORDS =
  /\b(buildings?|structures?|contents|bpp|stock|inventory|machinery|equipment|edp|computers?|improvements?|betterments|income|rents?|rental|payroll|earnings|profit|expenses?|fixtures|furniture|property|arts?|tools|goods|merchandise|materials|supplies|signs?|fences?|bi|cont|pd)\b/
export const OTHER_WORDS = /\b(date|year|age|(?<!\d )percent|per|type|source|basis|months|days|factor)\b/
/** Words of headers above numbers that may be large and round, but are no amounts. */
const NUMBER_WORDS =
  /\b(number|code|name|description|limit|deductible|phone|fax|zip|postal|parcel|apn|id|ref|reference|policy|account|area|square|feet|gfa|gba|gla|gsf|rsf|nra|nla|capacity|volume|weight|bushels|bu|gallons|lbs|tons|kva|kw|kwh|[mg]?wh|btu|co2|barrels|bbl|cattle|attendance|enrol?lments?|ridership|reading|odometer|tract|easting|northing|height|invoice|pin|vin|acreage|lot size|size|counts?|permits?|meters|metres|visitors|throughput|hours|production|tag|expiration|expiry|serial|fein|ein|vendor$|order$|units?|rooms|beds|seats|headcount|population|acres|usage|consumption|output|demand|mileage|tonnage|emissions|quantity|qty|rank|ranking|percentile|quartile|decile|(?:class|grade|score|rating|tier|band|bracket|category|level)$|^(?:class|grade|category) of|elevation|distance|employees|staff|students|spaces?$|tel|mobile|ext|extension|footage|naics?|sic|hrs|branch|footprint|block|dist|gpm|occupant load|pop|cresta|waiting period|po box|(?:profit|cost|revenue) cent(?:er|re)|usf|pallets?|cell|duns|sap|sub ?limits?|pml|eml|mfl|probable maximum loss)\b/

/** A name that ends or begins with what has a value: `Output equipment value`, `Building value, over 1,000 sq ft`. */
const OF_VALUE =
  /\b(?:values?|costs?|rcv|rcn|(?<!\bof )(?:equipment|inventory|contents|furniture|machinery|coverage|income|improvements|betterments))$|^(?:building|bldg|contents|stock|equipment) values?\b/

/** Whether these words of a header are those of numbers that are no amounts. */
export const namesNumber = (words: string): boolean => (NUMBER_WORDS.test(words) || namesQuantity(words)) && !OF_VALUE.test(words)

/** Whether a header says of what the amounts below it are the values, also of something that no field is for. */
export function namesValue(header: string): boolean {
  const { words } = normalizeHeader(header)
  return isNameOfValue(header) || (INSURED_WORDS.test(words) && MONEY_WORDS.test(words) && !namesNumber(words) && !OTHER_WORDS.test(words))
}

/** Whether a header is known, and names only values, also those of a part of a year or of one of several things. */
export function isNameOfValue(header: string): boolean {
  const names = scoreHeader(normalizeHeader(withoutOne(withoutSpan(header)))).filter(({ score }) => score >= 0.9)
  return names.length > 0 && names.every(({ target }) => isMoneyField(target))
}
