import type { accountCalls } from '#contract/accounts.ts'
import type { Call } from '#contract/route.ts'
import { LISTS, type ListedModel } from '#web/data/queries.ts'

/** The same call of any model: only its body and output matter to the engine. */
type OfAnyModel<C extends Call> = Omit<C, 'path' | 'can' | 'summary'> & Pick<Call, 'path' | 'can' | 'summary'>

interface RowCalls {
  act: OfAnyModel<typeof accountCalls.act>
  trash: OfAnyModel<typeof accountCalls.trash>
  restore: OfAnyModel<typeof accountCalls.restore>
}

/** What can be done with the rows of each model. */
export const ROW_CALLS: Readonly<Record<ListedModel, RowCalls>> = LISTS
