import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import type { Model } from '#contract/models.ts'
import type { Call, DataOf } from '#contract/route.ts'
import { roleCalls } from '#contract/roles.ts'
import { subscriptionCalls } from '#contract/subscriptions.ts'
import { userCalls } from '#contract/users.ts'

/** A call of any model: engines depend on its body and output only. */
type AnyModels<C extends Call> = Omit<C, 'path' | 'can' | 'summary'> & Pick<Call, 'path' | 'can' | 'summary'>
export interface RowCalls {
  act: AnyModels<typeof accountCalls.act>
  trash: AnyModels<typeof accountCalls.trash>
  restore: AnyModels<typeof accountCalls.restore>
}

const defineModel = <const N extends Model, C extends RowCalls>(model: { name: N; calls: C }) => model

/** Every model with a list, as data and engines need it. `features/index.ts` adds what the interface shows of it. */
export const models = {
  accounts: defineModel({ name: 'accounts', calls: accountCalls }),
  account_properties: defineModel({ name: 'account_properties', calls: propertyCalls }),
  account_files: defineModel({ name: 'account_files', calls: fileCalls }),
  companies: defineModel({ name: 'companies', calls: companyCalls }),
  users: defineModel({ name: 'users', calls: userCalls }),
  subscriptions: defineModel({ name: 'subscriptions', calls: subscriptionCalls }),
  roles: defineModel({ name: 'roles', calls: roleCalls }),
} as const

type Models = typeof models
export type ListedModel = keyof Models
/** Models whose records have a form, a panel and search of the standard calls. */
export type FormModel = { [M in ListedModel]: Models[M]['calls'] extends { editForm: Call } ? M : never }[ListedModel]

type RowsByModel = { [M in ListedModel]: DataOf<Models[M]['calls']['index']>[number] }
type RecordsByModel = { [M in FormModel]: DataOf<Models[M]['calls']['show']> }
// Interfaces, since their members resolve even where the model is a type parameter.
/** A row of each list. */
export interface Rows extends RowsByModel {}
/** The whole record of each model. */
export interface Records extends RecordsByModel {}
