import { DivestInput } from '#contract/account-properties.ts'
import type { ActionDefinition } from '#server/engines/datatable/define-datatable.ts'
import { divestProperties, reactivateProperties } from './divest.commands.ts'

const count = (n: number) => (n === 1 ? '1 property' : `${n} properties`)

export const divestAction: ActionDefinition = {
  label: 'Mark as divested',
  can: 'update_account_properties',
  prompt: { message: 'When did these properties leave the program?', type: 'date', name: 'divested_on', placeholder: 'YYYY-MM-DD' },
  run: async (ctx, ids, input) => {
    await divestProperties(ctx, ids, DivestInput.parse(input))
    return `${count(ids.length)} marked as divested.`
  },
}

export const reactivateAction: ActionDefinition = {
  label: 'Reactivate',
  can: 'update_account_properties',
  prompt: { message: 'Return the selected properties to the active register?', type: 'confirm', name: 'confirm' },
  run: async (ctx, ids) => {
    await reactivateProperties(ctx, ids)
    return `${count(ids.length)} reactivated.`
  },
}
