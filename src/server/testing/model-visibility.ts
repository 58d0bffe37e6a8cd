import type { Model } from '#contract/permissions.ts'

/**
 * Which users see a record of a model:
 * - `account`: users with access to its account, from any company
 * - `company`: users of its company
 * - `system`: every user with the permission for the list
 */
export type Visibility = 'account' | 'company' | 'system'

interface Declaration {
  visibility: Visibility
  /** The exported function that limits queries to visible records; models with `system` visibility have none. */
  predicate?: { module: string; name: string }
  /** Other models that would show this record's data if the predicate were missing. */
  alsoExposes?: readonly Model[]
}

/** A model without a declaration does not compile. The tests of isolation, predicates and deletion are generated from this table. */
export const MODEL_VISIBILITY: Readonly<Record<Model, Declaration>> = {
  accounts: {
    visibility: 'account',
    predicate: { module: '#server/access/accounts.ts', name: 'visibleAccounts' },
    alsoExposes: ['account_properties', 'account_files', 'discrepancies'],
  },
  account_properties: {
    visibility: 'account',
    predicate: { module: '#server/access/account-properties.ts', name: 'visibleProperties' },
    alsoExposes: ['discrepancies'],
  },
  account_files: { visibility: 'account', predicate: { module: '#server/access/account-files.ts', name: 'visibleFiles' } },
  discrepancies: { visibility: 'account', predicate: { module: '#server/access/discrepancies.ts', name: 'visibleDiscrepancies' } },
  companies: { visibility: 'company', predicate: { module: '#server/access/companies.ts', name: 'visibleCompanies' } },
  users: { visibility: 'company', predicate: { module: '#server/access/users.ts', name: 'visibleUsers' } },
}

const MODELS = Object.keys(MODEL_VISIBILITY) as Model[] // the keys of a record of models

export const modelsWith = (...visibilities: readonly Visibility[]): Model[] =>
  MODELS.filter((model) => visibilities.includes(MODEL_VISIBILITY[model].visibility))
/** Models whose records belong to an account or a company, so that users of other companies do not see them. */
export const ISOLATED_MODELS = modelsWith('account', 'company')
