import type { ActionBody, ChangedRecord } from '#contract/datatable.ts'
import { plural } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { api } from '#web/data/client.ts'
import { modelCalls, type ListedModel, type RowCalls } from '#web/data/models.ts'

/** The rows that an action has changed in the same way, and the input with which its opposite undoes this. */
export interface UndoInput {
  ids: readonly string[]
  input: Readonly<Record<string, unknown>>
}

/** The version of each record, which it must still have when the action that changed it is undone. */
export const versionsOf = (changed: readonly ChangedRecord[]): Record<string, number> =>
  Object.fromEntries(changed.map(({ id, version }) => [id, version]))

/** Runs the opposite of an action, once for each input. Rejects with a conflict if a record has changed since. */
export async function undoEach(
  model: ListedModel,
  action: string,
  inputs: readonly UndoInput[],
  all: Readonly<Record<string, number>>,
): Promise<{ message: string }> {
  const { act }: RowCalls = modelCalls[model]
  const messages: string[] = []
  for (const { ids, input } of inputs) {
    const versions = Object.fromEntries(ids.map((id) => [id, all[id] ?? 0]))
    const body: ActionBody = { action, handle: 'json', selectedIds: [...ids], filters: {}, input: { ...input }, versions }
    messages.push((await api(act, { body })).message)
  }
  return { message: joinMessages(model, messages) }
}

/** One sentence with the total of messages that differ only in the number of records: "3 properties reactivated.". */
function joinMessages(model: ListedModel, messages: readonly string[]): string {
  const { one, many } = MODELS[model]
  const counts = new Map<string, number>()
  for (const message of messages) {
    const [, count, done = message] = new RegExp(`^([\\d,]+) (?:${one}|${many}) ([^\\d]+)$`).exec(message) ?? []
    counts.set(done, (counts.get(done) ?? 0) + Number(count?.replaceAll(',', '') ?? 0))
  }
  return [...counts].map(([done, count]) => (count === 0 ? done : `${plural(count, one, many)} ${done}`)).join(' ')
}
