import { codesOf } from './code-lists.ts'

/** Kinds of documents. `sov` makes one a Submission Document; `folder` is its number in the organized archive. */
export interface DocumentCategory {
  label: string
  folder: number
  sov: boolean
  private: boolean
  linkedTo: 'account' | 'properties' | 'either'
  /** How many months after its report date a document is out of date. Null: never. */
  staleAfterMonths: number | null
  /** How many months after its report date a document is of no use anymore. */
  criticalAfterMonths: number | null
  /** The months are counted back from the effective date of the account instead of today. */
  countsToEffectiveDate: boolean
}

type Options = Partial<Omit<DocumentCategory, 'label' | 'folder' | 'linkedTo'>>

const category = (label: string, folder: number, linkedTo: DocumentCategory['linkedTo'], options: Options = {}): DocumentCategory => ({
  label,
  folder,
  linkedTo,
  sov: false,
  private: false,
  staleAfterMonths: null,
  criticalAfterMonths: null,
  countsToEffectiveDate: false,
  ...options,
})

export const DOCUMENT_CATEGORIES = {
  sov: category('Statement of values', 1, 'account', { sov: true, staleAfterMonths: 12 }),
  application: category('ACORD / application', 2, 'account', { sov: true, staleAfterMonths: 12 }),
  submission_letter: category('Submission narrative', 3, 'account', { sov: true, staleAfterMonths: 12 }),
  appraisal: category('Appraisal / valuation', 4, 'properties', { staleAfterMonths: 36, criticalAfterMonths: 60 }),
  risk_control: category('Engineering / risk control report', 5, 'properties', { staleAfterMonths: 36 }),
  recommendation_response: category('Response to recommendations', 6, 'properties'),
  loss_run: category('Loss run', 7, 'account', { staleAfterMonths: 3, countsToEffectiveDate: true }),
  roof: category('Roof report / warranty', 8, 'properties', { staleAfterMonths: 60 }),
  flood: category('Elevation certificate, flood determination', 9, 'properties'),
  seismic: category('Seismic / structural report', 10, 'properties', { staleAfterMonths: 120 }),
  environmental: category('Environmental / PCA', 11, 'properties', { staleAfterMonths: 60 }),
  fire_protection: category('Sprinkler / alarm inspection', 12, 'properties', { staleAfterMonths: 12 }),
  plans: category('Plans, drawings, site maps', 13, 'properties'),
  photo: category('Photographs', 14, 'properties', { staleAfterMonths: 60 }),
  lease: category('Lease / title / purchase', 15, 'properties'),
  emergency_plan: category('Business continuity, emergency plan', 16, 'either', { staleAfterMonths: 24 }),
  financial: category('Financial statements', 17, 'account', { private: true, staleAfterMonths: 12 }),
  policy: category('Policy, binder, quote', 18, 'account'),
  correspondence: category('Letters and emails', 19, 'either'),
  other: category('Other', 20, 'either'),
}

export type DocumentCategoryCode = keyof typeof DOCUMENT_CATEGORIES
export const DOCUMENT_CATEGORY_CODES = codesOf(DOCUMENT_CATEGORIES)

/** Whether the age of a document of this category matters, so that it needs a report date. */
export const needsReportDate = ({ linkedTo, staleAfterMonths }: DocumentCategory): boolean =>
  linkedTo === 'properties' || staleAfterMonths !== null

/**
 * Whether a document is as recent as its category needs. `no_date`: it has no report date. `unknown`: the account has no effective date
 * to compare with. Documents whose category needs no report date have no state.
 */
export const DOCUMENT_AGES = ['current', 'stale', 'critical', 'no_date', 'unknown'] as const
export type DocumentAge = (typeof DOCUMENT_AGES)[number]
