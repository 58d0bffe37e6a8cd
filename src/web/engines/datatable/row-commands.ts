import { isExport, type ActionBody, type ChangedRecord, type RowAction } from '#contract/datatable.ts'
import { formatAmounts, plural } from '#contract/format.ts'
import { BULK_ROWS_MAX, PAGE_SIZE_MAX } from '#contract/limits.ts'
import type { Amount } from '#contract/metrics.ts'
import { MODELS, declarationOf } from '#contract/models.ts'
import { api, apiFile } from '#web/data/client.ts'
import { saveBlob } from '#web/ui/download.ts'
import { queries } from '#web/data/queries.ts'
import { modelCalls, type ListedModel, type LoadContents, type RowCalls, type TrashCalls } from '#web/data/models.ts'
import { receiveDownload } from '../account/prepare-download.ts'
import type { TableRow } from './cells.tsx'
import { isOffered, ruleRefusal, type RowRule } from './row-rules.ts'
import type { List } from './list.ts'
import { filtersOf, orderOf } from './list-address.ts'
import { undoEach, versionsOf, type UndoInput } from './undo-action.ts'

/** The rows that a command applies to. */
export interface Target {
  ids: readonly string[]
  /** Name of the record when there is only one. */
  name: string
  count: number
  /** The total insured value of the records in each currency; null if it is not known or the list has none. */
  value: readonly Amount[] | null
  /** More rows than a list of ids may contain: the command applies to all that match the filters. */
  everything: boolean
  /** What the selection contains in addition, to which the command does not apply. */
  note?: string
}

/** A question to the user before a command runs. */
export type Prompt = Omit<NonNullable<RowAction['prompt']>, 'name'> & {
  title: string
  /** The records that the command is about: name or count, and their value. */
  about: string
  /** What is deleted with these rows, which the dialog requests from the server. */
  contents?: ReturnType<typeof queries.contents>
  /** The name of the file that the command downloads, if the user can put a prefix in front of it. */
  fileName?: string
}

/** What the user entered into a prompt. */
export interface Answer {
  value: string
  prefix: string
}

interface Command {
  label: string
  dangerous?: boolean
}

/** A command of a feature that handles its own requests and messages, such as opening a dialog. */
export interface ExtraCommand extends Command {
  run: (ids: readonly string[]) => void
}

interface Outcome {
  /** What to show, '' for nothing. */
  message: string
  /** The records that the command changed, if it can be undone. */
  changed?: readonly ChangedRecord[]
}

/** A command that the server runs. */
export interface ServerCommand extends Command {
  /** Why the command cannot run on these rows, if it cannot. */
  refusal?: (target: Target) => string | undefined
  /** Null when the command runs without a question. */
  prompt: (target: Target) => Prompt | null
  send: (target: Target, answer: Answer) => Promise<Outcome>
  /** Deleting and restoring alert about every error; for an action, a rejected request is a warning. */
  alertAlways: boolean
  /** Undefined when the records can't be restored exactly. */
  undo?: (target: Target, changed: readonly ChangedRecord[]) => ServerCommand | undefined
}

export type RowCommand = ExtraCommand | ServerCommand

const subjectOf = (model: ListedModel, { count, name }: Target): string =>
  count === 1 ? `“${name}”` : plural(count, MODELS[model].one, MODELS[model].many)

/** "“12 Pier Rd”, $900,000 total insured value" or "12 properties, …" */
const aboutOf = (model: ListedModel, target: Target): string =>
  subjectOf(model, target) + (target.value === null ? '' : `, ${formatAmounts(target.value)} total insured value`)

interface CommandsOf {
  trashed: boolean
  /** For an opposite that needs input; undefined when the input is not known. */
  undoInputs: (action: string, ids: readonly string[]) => readonly UndoInput[] | undefined
  /** For models whose rows contain records of others. */
  loadContents: LoadContents | undefined
}

/** The model's commands for rows, which are either trashed or not. Users who can delete them can also restore them. */
export function serverCommands(
  list: List,
  actions: readonly RowAction[],
  rows: readonly TableRow[],
  { trashed, loadContents, undoInputs }: CommandsOf,
): ServerCommand[] {
  const { model, rights } = list
  const { trash, restore }: RowCalls = modelCalls[model]
  const calls = trash !== undefined && restore !== undefined && rights.delete && isOffered(rows, 'delete') ? { trash, restore } : undefined
  const checked = (command: ServerCommand, rule: RowRule | undefined): ServerCommand =>
    rule === undefined
      ? command
      : { ...command, refusal: (target) => ruleRefusal(list, rows, rule, command.label) ?? command.refusal?.(target) }
  const deleteCommands = calls === undefined ? [] : [checked(deleteCommand(model, calls, trashed, loadContents), 'delete')]
  if (trashed) return calls === undefined ? [] : [checked(restoreCommand(model, calls), 'delete'), ...deleteCommands]
  const allowed = actions.filter(({ rule }) => rule === undefined || isOffered(rows, rule))
  return [
    ...allowed.map((action) => checked(actionCommand(list, action, undoOf(list, action, undoInputs)), action.rule)),
    ...deleteCommands,
  ]
}

const callsOf = (model: ListedModel): RowCalls => modelCalls[model]

/** These commands are sent with the ids of the rows, which are not all known of more rows than fit on a page. */
export const tooMany =
  (model: ListedModel, done: string, most = PAGE_SIZE_MAX) =>
  ({ count }: Target) =>
    count > most
      ? `At most ${plural(most, MODELS[model].one, MODELS[model].many)} can be ${done} at once, and this list has more. Narrow the list with a search or a filter.`
      : undefined

const restoreCommand = (model: ListedModel, { restore }: TrashCalls): ServerCommand => ({
  label: 'Restore',
  refusal: tooMany(model, 'restored'),
  prompt: () => null,
  send: async ({ ids }) => ({ message: (await api(restore, { body: { selectedIds: [...ids] } })).message }),
  alertAlways: true,
})

const deleteCommand = (model: ListedModel, calls: TrashCalls, force: boolean, load: LoadContents | undefined): ServerCommand => ({
  label: force ? 'Permanently Delete' : 'Delete',
  dangerous: true,
  refusal: tooMany(model, 'deleted'),
  prompt: (target) => ({
    about: aboutOf(model, target),
    title: `${force ? 'Permanently delete' : 'Delete'} ${subjectOf(model, target)}`,
    message: force
      ? `Are you sure you want to permanently delete ${records(target.ids.length)}? ${FINAL}`
      : deleteMessage(model, target.ids.length),
    type: 'confirm',
    ...(load && { contents: queries.contents(model, { ids: target.ids, force }, load) }),
  }),
  send: async ({ ids }) => ({ message: (await api(calls.trash, { body: { selectedIds: [...ids], force } })).message }),
  alertAlways: true,
  ...(force ? {} : { undo: () => restoreCommand(model, calls) }),
})

const FINAL = 'This action cannot be undone.'
const records = (count: number) => (count === 1 ? 'this record' : `these ${plural(count, 'record')}`)

function deleteMessage(model: ListedModel, count: number): string {
  const { noun, finalFor } = declarationOf(model).deletion ?? {}
  const what = noun === undefined ? records(count) : count === 1 ? `this ${noun}` : `these ${noun}s`
  const isFinal = finalFor === 'any' || (finalFor === 'one' && count === 1)
  return `Are you sure you want to delete ${what}?${isFinal ? ` ${FINAL}` : ''}`
}

/** Undoes what the action changed, and nothing that another user has changed before or since. Not for all records that match the filters. */
function undoOf(list: List, { action, undo }: RowAction, undoInputs: CommandsOf['undoInputs']): ServerCommand['undo'] {
  // The opposite applies to the rows only after the action.
  const opposite = list.actions.find((other) => other.action === undo)
  if (opposite === undefined) return undefined
  const needsInput = opposite.prompt !== null && opposite.prompt.type !== 'confirm'
  return ({ everything }, changed) => {
    if (everything || changed.length === 0) return undefined
    const ids = changed.map(({ id }) => id)
    const inputs = needsInput ? undoInputs(action, ids) : [{ ids, input: {} }]
    return inputs && { ...actionCommand(list, opposite), send: () => undoEach(list.model, opposite.action, inputs, versionsOf(changed)) }
  }
}

const actionCommand = (list: List, action: RowAction, undo?: ServerCommand['undo']): ServerCommand => ({
  label: action.label,
  ...(undo === undefined ? {} : { undo }),
  // The server rejects it as well, but only after the user has confirmed it.
  ...(isExport(action.action) ? {} : { refusal: tooMany(list.model, 'changed', BULK_ROWS_MAX) }),
  prompt: (target) => {
    const prompt = promptOf(action)
    return prompt && { ...prompt, about: aboutOf(list.model, target) }
  },
  send: (target, answer) => runAction(list, action, target, answer),
  alertAlways: false,
})

function promptOf({ label, prompt, fileName, supportsPrefix }: RowAction): Omit<Prompt, 'about'> | null {
  if (!supportsPrefix || fileName === null) return prompt && { ...prompt, title: label }
  return { message: 'Name the file.', type: 'confirm', ...prompt, title: label, fileName }
}

/** Runs an action of the model and downloads the file that it makes. */
async function runAction(
  { model, query, columns: shown }: List,
  { action, handle, fileName, prompt }: RowAction,
  { ids, everything }: Target,
  { value, prefix }: Answer,
): Promise<Outcome> {
  const accountId = query['filter__account_id']
  const input = prompt === null || prompt.type === 'confirm' ? {} : { [prompt.name]: value }
  // An export has the columns of the list, in its order.
  const [order, columns] = isExport(action) ? [orderOf(query), { columns: shown.map(({ src }) => src) }] : [{}, {}]
  const body: ActionBody & { model: ListedModel } = {
    model,
    action,
    handle,
    fileName: fileName === null || prefix === '' ? fileName : `${prefix} ${fileName}`,
    ...columns,
    ...(everything
      ? { selectedIds: [], filters: { ...filtersOf(query), ...order }, input: 'all' }
      : { selectedIds: [...ids], filters: order, input }),
    ...(accountId === undefined ? {} : { account_id: accountId }),
  }
  if (handle === 'blob') {
    const file = await apiFile(callsOf(model).act, { body })
    saveBlob(file.blob, file.fileName ?? fileName ?? action)
    return { message: '' }
  }
  const { message, changed, export: file } = await api(callsOf(model).act, { body })
  if (file === null) return { message, changed }
  await receiveDownload(file, message)
  return { message: '' }
}
