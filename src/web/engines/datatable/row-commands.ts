import type { ActionBody, RowAction } from '#contract/datatable.ts'
import { api, apiFile } from '#web/data/client.ts'
import { pendingDownloads } from '#web/data/pending-downloads.ts'
import type { ListedModel } from '#web/data/queries.ts'
import type { List } from './list.ts'
import { filtersOf } from './list-address.ts'
import { ROW_CALLS } from './row-calls.ts'

/** The rows that a command applies to. */
export interface Target {
  ids: readonly string[]
  /** Name of the record when there is only one. */
  name: string
  /** More rows than a list of ids may contain: the command applies to all that match the filters. */
  everything?: boolean
}

/** A question to the user before a command runs. */
export interface Prompt {
  title: string
  message: string
  type: 'confirm' | 'text' | 'select' | 'date'
  placeholder?: string | undefined
  options?: readonly { value: string; label: string }[] | undefined
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
  send: (target: Target, answer: string) => Promise<string>
  /** Deleting and restoring alert about every error; for an action, a rejected request is a warning. */
  alertAlways: boolean
  undo?: ServerCommand
}

export type RowCommand = ExtraCommand | ServerCommand

/** The model's commands for rows, which are either trashed or not. Users with permission to delete can also restore. */
export function serverCommands({ model, query, rights }: List, actions: readonly RowAction[], trashed: boolean): ServerCommand[] {
  if (trashed) return rights.delete ? [restoreCommand(model), deleteCommand(model, true)] : []
  return [
    ...(rights.actions ? actions.map((action) => actionCommand(model, action, query)) : []),
    ...(rights.delete ? [deleteCommand(model, false)] : []),
  ]
}

const restoreCommand = (model: ListedModel): ServerCommand => ({
  label: 'Restore',
  prompt: () => null,
  send: async ({ ids }) => (await api(ROW_CALLS[model].restore, { body: { selectedIds: [...ids] } })).message,
  alertAlways: true,
})

const deleteCommand = (model: ListedModel, force: boolean): ServerCommand => ({
  label: force ? 'Permanently Delete' : 'Delete',
  dangerous: true,
  prompt: ({ ids, name }) => ({
    title: `${force ? 'Permanently delete' : 'Delete'} ${ids.length === 1 ? `“${name}”` : `${ids.length.toLocaleString('en-US')} records`}`,
    message: force ? `Are you sure you want to permanently delete ${records(ids.length)}? ${FINAL}` : deleteMessage(model, ids.length),
    type: 'confirm',
  }),
  send: async ({ ids }) => (await api(ROW_CALLS[model].trash, { body: { selectedIds: [...ids], force } })).message,
  alertAlways: true,
  ...(force ? {} : { undo: restoreCommand(model) }),
})

const FINAL = 'This action cannot be undone.'
const records = (count: number) => (count === 1 ? 'this record' : `these ${count.toLocaleString('en-US')} records`)

function deleteMessage(model: ListedModel, count: number): string {
  if (model === 'account_files') return `Are you sure you want to delete ${count === 1 ? 'this file' : 'these files'}? ${FINAL}`
  return `Are you sure you want to delete ${records(count)}?${model === 'accounts' && count === 1 ? ` ${FINAL}` : ''}`
}

const actionCommand = (model: ListedModel, action: RowAction, query: List['query']): ServerCommand => ({
  label: action.label,
  prompt: () => action.prompt && { ...action.prompt, title: action.label },
  send: (target, answer) => runAction(model, action, target, answer, query),
  alertAlways: false,
})

/** Runs an action of the model and downloads the file that it makes. */
async function runAction(model: ListedModel, action: RowAction, target: Target, answer: string, query: List['query']): Promise<string> {
  const accountId = query['filter__account_id']
  const input = action.prompt === null || action.prompt.type === 'confirm' ? {} : { [action.prompt.name]: answer }
  const body: ActionBody = {
    action: action.action,
    handle: action.handle,
    selectedIds: target.everything ? [] : [...target.ids],
    filters: target.everything ? filtersOf(query) : {},
    input: target.everything ? 'all' : input,
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(action.fileName === null ? {} : { fileName: action.fileName }),
  }
  if (action.handle === 'blob') {
    const { blob, fileName } = await apiFile(ROW_CALLS[model].act, { body })
    saveAs(blob, fileName ?? action.fileName ?? action.action)
    return ''
  }
  const { message, export: file } = await api(ROW_CALLS[model].act, { body })
  if (file !== null) pendingDownloads.follow({ id: file.id, accountId: file.account_id, fileName: file.file.original_file_name })
  return message
}

function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // The click starts the download synchronously, so the address can be released right after it.
  setTimeout(() => URL.revokeObjectURL(url))
}
