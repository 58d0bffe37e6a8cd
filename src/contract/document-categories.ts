import { codesOf } from './code-lists.ts'

/** Kinds of documents. `sov` makes one a Submission Document; `folder` is its number in the organized archive. */
export interface DocumentCategory {
  label: string
  folder: number
  sov: boolean
  private: boolean
  linkedTo: 'account' | 'properties' | 'either'
}

const category = (
  label: string,
  folder: number,
  linkedTo: DocumentCategory['linkedTo'],
  flags: { sov?: boolean; private?: boolean } = {},
): DocumentCategory => ({ label, folder, linkedTo, sov: false, private: false, ...flags })

export const DOCUMENT_CATEGORIES = {
  sov: category('Statement of values', 1, 'account', {
    sov: true,
  }),
  application: category('ACORD / application', 2, 'account', { sov: true }),
  submission_letter: category('Submission narrative', 3, 'account', { sov: true }),
  appraisal: category('Appraisal / valuation', 4, 'properties'),
  risk_control: category('Engineering / risk control report', 5, 'properties'),
  recommendation_response: category('Response to recommendations', 6, 'properties'),
  loss_run: category('Loss run', 7, 'account'),
  roof: category('Roof report / warranty', 8, 'properties'),
  flood: category('Elevation certificate, flood determination', 9, 'properties'),
  seismic: category('Seismic / structural report', 10, 'properties'),
  environmental: category('Environmental / PCA', 11, 'properties'),
  fire_protection: category('Sprinkler / alarm inspection', 12, 'properties'),
  plans: category('Plans, drawings, site maps', 13, 'properties'),
  photo: category('Photographs', 14, 'properties'),
  lease: category('Lease / title / purchase', 15, 'properties'),
  emergency_plan: category('Business continuity, emergency plan', 16, 'either'),
  financial: category('Financial statements', 17, 'account', { private: true }),
  policy: category('Policy, binder, quote', 18, 'account'),
  correspondence: category('Letters and emails', 19, 'either'),
  other: category('Other', 20, 'either'),
}

export type DocumentCategoryCode = keyof typeof DOCUMENT_CATEGORIES
export const DOCUMENT_CATEGORY_CODES = codesOf(DOCUMENT_CATEGORIES)
