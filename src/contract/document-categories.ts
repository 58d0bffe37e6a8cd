import { codesOf } from './code-lists.ts'

/** Kinds of documents. `sov` makes one a Submission Document; `folder` is its number in the organized archive. */
export interface DocumentCategory {
  label: string
  folder: number
  sov: boolean
  private: boolean
  linkedTo: 'account' | 'properties' | 'either'
  /** Words of a file name that suggest the category, lower case. */
  words: readonly string[]
}

const category = (
  label: string,
  folder: number,
  linkedTo: DocumentCategory['linkedTo'],
  words: string,
  flags: { sov?: boolean; private?: boolean } = {},
): DocumentCategory => ({ label, folder, linkedTo, words: words === '' ? [] : words.split(', '), sov: false, private: false, ...flags })

export const DOCUMENT_CATEGORIES = {
  sov: category('Statement of values', 1, 'account', 'sov, statement of values, schedule of values, property schedule, location schedule', {
    sov: true,
  }),
  application: category('ACORD / application', 2, 'account', 'acord, application, 125, 140', { sov: true }),
  submission_letter: category('Submission narrative', 3, 'account', 'narrative, submission, bi worksheet', { sov: true }),
  appraisal: category('Appraisal / valuation', 4, 'properties', 'appraisal, valuation, rcv, marshall swift, msb, core logic'),
  risk_control: category(
    'Engineering / risk control report',
    5,
    'properties',
    'loss control, engineering, survey, fm, risk report, inspection',
  ),
  recommendation_response: category('Response to recommendations', 6, 'properties', 'response, rec letter'),
  loss_run: category('Loss run', 7, 'account', 'loss run, claims, losses'),
  roof: category('Roof report / warranty', 8, 'properties', 'roof'),
  flood: category('Elevation certificate, flood determination', 9, 'properties', 'elevation, flood, ec, loma'),
  seismic: category('Seismic / structural report', 10, 'properties', 'seismic, pml, structural, retrofit'),
  environmental: category('Environmental / PCA', 11, 'properties', 'phase i, esa, pca, property condition'),
  fire_protection: category('Sprinkler / alarm inspection', 12, 'properties', 'sprinkler, nfpa 25, alarm, itm, hydrant'),
  plans: category('Plans, drawings, site maps', 13, 'properties', 'plan, drawing, site map, layout'),
  photo: category('Photographs', 14, 'properties', 'img, photo, jpg'),
  lease: category('Lease / title / purchase', 15, 'properties', 'lease, deed, purchase'),
  emergency_plan: category('Business continuity, emergency plan', 16, 'either', 'bcp, emergency, continuity'),
  financial: category('Financial statements', 17, 'account', 'financial, balance', { private: true }),
  policy: category('Policy, binder, quote', 18, 'account', 'policy, binder, quote'),
  correspondence: category('Letters and e-mails', 19, 'either', 'letter, email, memo'),
  other: category('Other', 20, 'either', ''),
}

export type DocumentCategoryCode = keyof typeof DOCUMENT_CATEGORIES
export const DOCUMENT_CATEGORY_CODES = codesOf(DOCUMENT_CATEGORIES)

const spaced = (name: string) => ` ${name.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `

/** The first category with a suggesting word in the file name, as whole words; `other` if there is none. */
export function suggestCategory(fileName: string): DocumentCategoryCode {
  const haystack = spaced(fileName)
  return DOCUMENT_CATEGORY_CODES.find((code) => DOCUMENT_CATEGORIES[code].words.some((word) => haystack.includes(` ${word} `))) ?? 'other'
}
