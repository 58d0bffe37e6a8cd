import type { StatusGroup, StatusState } from '#contract/statuses.ts'
import type { WriteContext } from '#server/engines/context.ts'

const DEFAULT_STATUSES = [
  ...status('account', [
    ['New', '#1976D2'],
    ['Gathering Data', '#F9A825'],
    ['In Review', '#FB8C00'],
    ['Submitted', '#6A1B9A'],
    ['Quoted', '#00838F'],
    ['Bound', '#2E7D32'],
    ['Declined', '#C62828'],
    ['Archived', '#616161'],
  ]),
  ...status('simple_account', [
    ['Uploading', '#1976D2', 'uploading'],
    ['Processing', '#F9A825', 'processing'],
    ['Active', '#2E7D32', 'active'],
  ]),
  ...status('risk_control', [
    ['Draft', '#9E9E9E'],
    ['Issued', '#1976D2'],
    ['Awaiting Response', '#F9A825'],
    ['In Progress', '#FB8C00'],
    ['Complete', '#2E7D32'],
    ['Closed', '#000000'],
  ]),
]

function status(modelType: StatusGroup, entries: [name: string, color: string, state?: StatusState][]) {
  return entries.map(([name, color, state], position) => ({ model_type: modelType, name, color, state: state ?? null, position }))
}

/** Gives a new company its first statuses. */
export async function addDefaultStatuses(tx: WriteContext, companyId: string): Promise<void> {
  await tx.db
    .insertInto('statuses')
    .values(DEFAULT_STATUSES.map((one) => ({ ...one, company_id: companyId })))
    .execute()
}
