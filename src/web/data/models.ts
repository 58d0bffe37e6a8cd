import type { z } from 'zod'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { inviteCalls } from '#contract/account-invites.ts'
import { companyCalls } from '#contract/companies.ts'
import { flagCalls } from '#contract/flags.ts'
import { ACCOUNT_MODEL, type Model } from '#contract/models.ts'
import { propertyImportCalls } from '#contract/property-imports.ts'
import type { ById, Call, DataOf } from '#contract/route.ts'
import { riskControlCalls } from '#contract/risk-control.ts'
import { roleCalls } from '#contract/roles.ts'
import { subscriptionCalls } from '#contract/subscriptions.ts'
import { userCalls } from '#contract/users.ts'

type CallWith<Part> = Pick<Call, 'method' | 'path' | 'can' | 'summary'> & Part
type Answering<Data> = { output: { kind: 'json'; data: z.ZodType<Data> } }
/** The calls for rows of any model, as engines use them. Models without a trash have no calls for it. */
export interface RowCalls {
  act: CallWith<Pick<typeof accountCalls.act, 'body' | 'output'>>
  trash?: CallWith<Pick<typeof accountCalls.trash, 'body' | 'output'>>
  restore?: CallWith<Pick<typeof accountCalls.restore, 'body' | 'output'>>
}
export type TrashCalls = Required<Pick<RowCalls, 'trash' | 'restore'>>
/** Rows that the user is about to delete. */
export interface Deletion {
  ids: readonly string[]
  /** Permanently, from the trash. */
  force: boolean
}
/** What is deleted with rows, in sentences, and whether the rows can be deleted together with it. */
export interface DeletedContents {
  text: string
  canDelete: boolean
}
export type LoadContents = (deletion: Deletion, signal: AbortSignal) => Promise<DeletedContents>
/** The calls that save a record of any model. Only records in an account have `account_id`. */
export interface SaveCalls {
  create: CallWith<{ body: z.ZodType } & Answering<{ id: string; account_id?: string }>>
  update: SaveCalls['create'] & { params: typeof ById }
}

/** The calls of every model with a list. `features/index.ts` adds what the interface shows of it. */
export const modelCalls = {
  accounts: accountCalls,
  account_properties: propertyCalls,
  account_files: fileCalls,
  risk_control: riskControlCalls,
  companies: companyCalls,
  users: userCalls,
  subscriptions: subscriptionCalls,
  roles: roleCalls,
  property_imports: propertyImportCalls,
  flags: flagCalls,
  account_invites: inviteCalls,
} as const satisfies Partial<Record<Model, RowCalls>>

type Calls = typeof modelCalls
export type ListedModel = keyof Calls
/** Models whose records have a form, a panel and search of the standard calls. */
export type FormModel = { [M in ListedModel]: Calls[M] extends { editForm: Call } ? M : never }[ListedModel]
/** Models whose records have an activity. */
export type ActivityModel = { [M in ListedModel]: Calls[M] extends { activity: Call } ? M : never }[ListedModel]

type RowsByModel = { [M in ListedModel]: DataOf<Calls[M]['index']>[number] }
type RecordsByModel = { [M in FormModel]: DataOf<Calls[M]['show']> }
// Interfaces, since their members resolve even where the model is a type parameter.
/** A row of each list. */
export interface Rows extends RowsByModel {}
/** The whole record of each model. */
export interface Records extends RecordsByModel {}

/** The account that a record is in; an account is in itself. */
export const accountOf = (model: Model, { id, account_id }: { id: string; account_id?: string }): string | null =>
  model === ACCOUNT_MODEL ? id : (account_id ?? null)
