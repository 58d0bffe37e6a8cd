/** What is insured, by the field of its value. */
export const INSURED = `
building_value: building; buildings; structure; structures; real property; shell; building shell; base building; core & shell
other_value: other structures; site improvements; outdoor property
contents_value: contents; bpp; personal property; business personal property; ff&e; furniture & fixtures
stock_value: stock; inventory; inv
machinery_value: machinery; machinery & equipment; m&e; equipment; movable equipment; mobile equipment
edp_value: edp; computers; computer equipment
improvements_value: tenant improvements; tenant improvements & betterments; improvements & betterments; leasehold improvements; betterments
bi_value: bi; bi/ee; business income; business income & extra expense; business income and extra expense; business income w/ee; business interruption; time element; rents; rental income; loss of rents; gross profit; gross earnings; extra expense; extra exp; net income; bi net income; continuing expenses; bi continuing expenses; cont exp; bi cont exp
`
/** A limit names no thing that is insured. Others, such as a flood limit, are none of its kind, so that these names are compared as a whole. */
export const LIMITS =
  'stated_tiv: limit; limits; limit of insurance; limits of insurance; policy limit; policy limits; property limit; insured limit; coverage limit; limit of liability'
const MEASURES = [
  'value',
  'values',
  'limit',
  'limits',
  'sum insured',
  'sums insured',
  'insured value',
  'insured values',
  'insurable value',
  'insurable values',
  'insured limit',
  'total',
  'total value',
  'total values',
  'declared value',
  'declared values',
]
const COSTS = [
  'rc',
  'rcv',
  'rcn',
  'rc value',
  'replacement cost',
  'replacement costs',
  'replacement cost value',
  'replacement value',
  'crn',
  'reproduction cost',
  'appraised',
  'appraised value',
  'appraisal',
]
/** "Total Buildings" is their number, and "Real Property Total" that of a group of columns. */
const WITHOUT_TOTAL = /^(buildings|structures|time element|.*property)$/

/** What follows the name of what is insured in a header. */
export function measuresOf(target: string, insured: string): readonly string[] {
  const measures = WITHOUT_TOTAL.test(insured) ? MEASURES.filter((measure) => measure !== 'total') : MEASURES
  return target === 'bi_value' ? measures : [...measures, ...COSTS]
}
