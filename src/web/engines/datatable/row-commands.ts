import type { ActionBody, RowAction } from '#contract/datatable.ts'
import { plural } from '#contract/format.ts'
import { api, apiFile } from '#web/data/client.ts'
import { pendingDownloads } from '#web/data/pending-downloads.ts'
import { saveBlob } from '#web/ui/download.ts'
import { modelCalls, type ListedModel, type RowCalls } from '#web/data/models.ts'
import type { List } from './list.ts'
import { filtersOf } from './list-address.ts'

/** The rows that a command applies to. */
export interface Target {
  ids: readonly string[]
  /** Name of the record when there is only one. */
  name: string
  /** More rows than a list of ids may contain: the command applies to all that match the filters. */
  everything: boolean
  /** What the selection contains in addition, to which the command does not apply. */
  note?: string
}

/** A question to the user before a command runs. */
export type Prompt = Omit<NonNullable<RowAction['prompt']>, 'name'> & {
  title: string
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

/** A command that the server runs. */
export interface ServerCommand extends Command {
  /** Null when the command runs without a question. */
  prompt: (target: Target) => Prompt | null
  /** Resolves with the message to show, '' for none. */
  send: (target: Target, answer: Answer) => Promise<string>
  /** Deleting and restoring alert about every error; for an action, a rejected request is a warning. */
  alertAlways: boolean
  undo?: ServerCommand
}

export type RowCommand = ExtraCommand | ServerCommand

/** The model's commands for rows, which are either trashed or not. Users with permission to delete can also restore. */
export function serverCommands(list: List, actions: readonly RowAction[], trashed: boolean): ServerCommand[] {
  const { model, rights } = list
  if (trashed) return rights.delete ? [restoreCommand(model), deleteCommand(model, true)] : []
  return [
    ...(rights.actions ? actions.map((action) => actionCommand(list, action)) : []),
    ...(rights.delete ? [deleteCommand(model, false)] : []),
  ]
}

const callsOf = (model: ListedModel): RowCalls => modelCalls[model]

const restoreCommand = (model: ListedModel): ServerCommand => ({
  label: 'Restore',
  prompt: () => null,
  send: async ({ ids }) => (await api(callsOf(model).restore, { body: { selectedIds: [...ids] } })).message,
  alertAlways: true,
})

const deleteCommand = (model: ListedModel, force: boolean): ServerCommand => ({
  label: force ? 'Permanently Delete' : 'Delete',
  dangerous: true,
  prompt: ({ ids, name }) => ({
    title: `${force ? 'Permanently delete' : 'Delete'} ${ids.length === 1 ? `“${name}”` : plural(ids.length, 'record')}`,
    message: force ? `Are you sure you want to permanently delete ${records(ids.length)}? ${FINAL}` : deleteMessage(model, ids.length),
    type: 'confirm',
  }),
  send: async ({ ids }) => (await api(callsOf(model).trash, { body: { selectedIds: [...ids], force } })).message,
  alertAlways: true,
  ...(force ? {} : { undo: restoreCommand(model) }),
})

const FINAL = 'This action cannot be undone.'
const records = (count: number) => (count === 1 ? 'this record' : `these ${plural(count, 'record')}`)

function deleteMessage(model: ListedModel, count: number): string {
  if (model === 'account_files') return `Are you sure you want to delete ${count === 1 ? 'this file' : 'these files'}? ${FINAL}`
  return `Are you sure you want to delete ${records(count)}?${model === 'accounts' && count === 1 ? ` ${FINAL}` : ''}`
}

const actionCommand = (list: List, action: RowAction): ServerCommand => ({
  label: action.label,
  prompt: () => promptOf(action),
  send: (target, answer) => runAction(list, action, target, answer),
  alertAlways: false,
})

function promptOf({ label, prompt, fileName, supportsPrefix }: RowAction): Prompt | null {
  if (!supportsPrefix || fileName === null) return prompt && { ...prompt, title: label }
  return { message: 'Name the file.', type: 'confirm', ...prompt, title: label, fileName }
}

/** Runs an action of the model and downloads the file that it makes. */
async function runAction(
  { model, query }: List,
  { action, handle, fileName, prompt }: RowAction,
  { ids, everything }: Target,
  { value, prefix }: Answer,
): Promise<string> {
  const accountId = query['filter__account_id']
  const input = prompt === null || prompt.type === 'confirm' ? {} : { [prompt.name]: value }
  const body: ActionBody = {
    action,
    handle,
    ...(everything ? { selectedIds: [], filters: filtersOf(query), input: 'all' } : { selectedIds: [...ids], filters: {}, input }),
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(fileName === null ? {} : { fileName: prefix === '' ? fileName : `${prefix} ${fileName}` }),
  }
  if (handle === 'blob') {
    const file = await apiFile(callsOf(model).act, { body })
    saveBlob(file.blob, file.fileName ?? fileName ?? action)
    return ''
  }
  const { message, export: file } = await api(callsOf(model).act, { body })
  if (file !== null) pendingDownloads.follow({ id: file.id, accountId: file.account_id, fileName: file.file.original_file_name })
  return message
}
