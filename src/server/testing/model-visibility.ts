import { MODEL_NAMES, MODELS, type Model } from '#contract/models.ts'

type Visibility = (typeof MODELS)[Model]['visibility']
export type IsolatedModel = { [M in Model]: (typeof MODELS)[M]['visibility'] extends 'system' ? never : M }[Model]

interface Declaration {
  /** The exported function that limits queries to visible records. */
  predicate: { module: string; name: string }
  /** Other models that would show this record's data if the predicate were missing. */
  alsoExposes?: readonly Model[]
}

/** Predicates that are used outside the list of their model, too. The predicate of any other model is the `visible` of its list. */
export const SHARED_PREDICATES: Readonly<Partial<Record<IsolatedModel, Declaration>>> = {
  accounts: {
    predicate: { module: '#server/access/accounts.ts', name: 'visibleAccounts' },
    alsoExposes: ['account_properties', 'account_files', 'discrepancies', 'flags', 'property_imports', 'risk_control'],
  },
  account_properties: {
    predicate: { module: '#server/access/account-properties.ts', name: 'visibleProperties' },
    alsoExposes: ['discrepancies', 'flags'],
  },
  account_files: { predicate: { module: '#server/access/account-files.ts', name: 'visibleFiles' } },
  risk_control: { predicate: { module: '#server/access/risk-control.ts', name: 'visibleRiskControl' }, alsoExposes: ['flags'] },
  property_imports: { predicate: { module: '#server/access/imports.ts', name: 'visibleImports' } },
  discrepancies: { predicate: { module: '#server/access/discrepancies.ts', name: 'visibleDiscrepancies' } },
  account_invites: { predicate: { module: '#server/access/grants.ts', name: 'visibleInvites' } },
  flags: { predicate: { module: '#server/access/flags.ts', name: 'visibleFlags' } },
  companies: { predicate: { module: '#server/access/companies.ts', name: 'visibleCompanies' } },
  users: { predicate: { module: '#server/access/users.ts', name: 'visibleUsers' } },
}

export const modelsWith = (...visibilities: readonly Visibility[]): Model[] =>
  MODEL_NAMES.filter((model) => visibilities.includes(MODELS[model].visibility))

const isIsolated = (model: Model): model is IsolatedModel => MODELS[model].visibility !== 'system'
/** Models whose records belong to an account or a company, so that users of other companies do not see them. */
export const ISOLATED_MODELS = MODEL_NAMES.filter(isIsolated)
