import { Decision, type DecisionStatus } from '#contract/discrepancies.ts'
import type { Context } from '#server/engines/context.ts'
import type { ActionDefinition } from '#server/engines/datatable/define-datatable.ts'
import { decideDiscrepancies } from './decide.commands.ts'

const deciding = (status: DecisionStatus) => async (ctx: Context, ids: string[], input: Record<string, unknown>) => {
  await decideDiscrepancies(ctx, ids, Decision.parse({ ...input, status }))
  return ids.length === 1 ? 'The difference is settled.' : `${ids.length} differences are settled.`
}

const reason = (message: string) => ({ message, type: 'text', placeholder: 'Reason', name: 'note' }) as const

/** Row actions of the discrepancies list: the decisions that need no value of their own. */
export const discrepancyActions: Record<string, ActionDefinition> = {
  accepted: {
    label: 'Accept',
    can: 'update_account_properties',
    prompt: { message: 'Write the other value to the register?', type: 'confirm', name: 'confirmed' },
    run: (ctx, ids) => deciding('accepted')(ctx, ids, {}),
  },
  kept: { label: 'Keep', can: 'resolve_discrepancies', prompt: reason('Why does the value in the register stand?'), run: deciding('kept') },
  waived: { label: 'Waive', can: 'resolve_discrepancies', prompt: reason('Why is it left as it is?'), run: deciding('waived') },
}
