import type { z } from 'zod'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import type { Model } from '#contract/permissions.ts'
import type { ById, Call, DataOf } from '#contract/route.ts'
import { roleCalls } from '#contract/roles.ts'
import { subscriptionCalls } from '#contract/subscriptions.ts'
import { userCalls } from '#contract/users.ts'

type CallWith<Part> = Pick<Call, 'method' | 'path' | 'can' | 'summary'> & Part
type Answering<Data> = { output: { kind: 'json'; data: z.ZodType<Data> } }
/** The calls for rows of any model, as engines use them. */
export interface RowCalls {
  act: CallWith<Pick<typeof accountCalls.act, 'body' | 'output'>>
  trash: CallWith<Pick<typeof accountCalls.trash, 'body' | 'output'>>
  restore: CallWith<Pick<typeof accountCalls.restore, 'body' | 'output'>>
}
/** The calls that save a record of any model. Only records in an account have `account_id`. */
export interface SaveCalls {
  create: CallWith<{ body: z.ZodType } & Answering<{ id: string; account_id?: string }>>
  update: SaveCalls['create'] & { params: typeof ById }
}

/** Every model with a list, as data and engines need it. `features/index.ts` adds what the interface shows of it. */
export const models = {
  // `one` and `many` name one record and several in texts of the interface, in lower case.
  accounts: { one: 'account', many: 'accounts', calls: accountCalls },
  account_properties: { one: 'property', many: 'properties', calls: propertyCalls },
  account_files: { one: 'document', many: 'documents', calls: fileCalls },
  companies: { one: 'company', many: 'companies', calls: companyCalls },
  users: { one: 'user', many: 'users', calls: userCalls },
  subscriptions: { one: 'subscription', many: 'subscriptions', calls: subscriptionCalls },
  roles: { one: 'role', many: 'roles', calls: roleCalls },
} as const satisfies Partial<Record<Model, { one: string; many: string; calls: RowCalls }>>

type Models = typeof models
export type ListedModel = keyof Models
/** Models whose records have a form and a panel of the standard calls. */
export type FormModel = { [M in ListedModel]: Models[M]['calls'] extends { editForm: Call } ? M : never }[ListedModel]

type RowsByModel = { [M in ListedModel]: DataOf<Models[M]['calls']['index']>[number] }
type RecordsByModel = { [M in FormModel]: DataOf<Models[M]['calls']['show']> }
// Interfaces, since their members resolve even where the model is a type parameter.
/** A row of each list. */
export interface Rows extends RowsByModel {}
/** The whole record of each model. */
export interface Records extends RecordsByModel {}
