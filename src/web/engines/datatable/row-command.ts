import type { RowAction } from '#contract/datatable.ts'
import type { Model } from '#contract/permissions.ts'

/** Something to do with rows: an action of the model, or one of the four that every model knows. */
export type RowCommand = { kind: 'action'; action: RowAction } | { kind: 'trash' | 'restore' | 'force' } | OwnCommand

/** What a feature adds by itself and does by itself, such as opening a dialog. */
export interface OwnCommand {
  kind: 'own'
  label: string
  run: (ids: readonly string[]) => void
}

export interface Target {
  ids: readonly string[]
  /** Name of the record when there is one only. */
  name: string
  /** More rows are meant than a list of ids may hold: the action takes the filters instead. */
  everything?: boolean
}

/** A question to a person before something is done. */
export interface Prompt {
  title: string
  message: string
  type: 'confirm' | 'text' | 'select' | 'date'
  placeholder?: string | undefined
  options?: readonly { value: string; label: string }[] | undefined
  confirm: string
  dangerous: boolean
}

const ACCOUNT_DELETE = 'Are you sure you want to delete this record? This action cannot be undone.'
const FILE_DELETE = 'Are you sure you want to delete this file? This action cannot be undone.'
const FILES_DELETE = 'Are you sure you want to delete these files? This action cannot be undone.'
const records = (count: number) => (count === 1 ? 'this record' : `these ${count.toLocaleString('en-US')} records`)

function deleteMessage(model: Model, count: number): string {
  if (model === 'account_files') return count === 1 ? FILE_DELETE : FILES_DELETE
  return model === 'accounts' && count === 1 ? ACCOUNT_DELETE : `Are you sure you want to delete ${records(count)}?`
}

const whatOf = ({ ids, name }: Target) => (ids.length === 1 ? `“${name}”` : `${ids.length.toLocaleString('en-US')} records`)

/** The question that a command asks first; null when it is done at once. */
export function promptFor(command: RowCommand, model: Model, target: Target): Prompt | null {
  const count = target.ids.length
  switch (command.kind) {
    case 'trash':
      return {
        title: `Delete ${whatOf(target)}`,
        message: deleteMessage(model, count),
        type: 'confirm',
        confirm: 'Delete',
        dangerous: true,
      }
    case 'force':
      return {
        title: `Permanently delete ${whatOf(target)}`,
        message: `Are you sure you want to permanently delete ${records(count)}? This action cannot be undone.`,
        type: 'confirm',
        confirm: 'Permanently Delete',
        dangerous: true,
      }
    case 'restore':
    case 'own':
      return null
    case 'action': {
      const { prompt, label } = command.action
      if (prompt === null) return null
      return {
        title: label,
        message: prompt.message,
        type: prompt.type,
        placeholder: prompt.placeholder,
        options: prompt.options,
        confirm: label,
        dangerous: false,
      }
    }
    default:
      return command satisfies never
  }
}

export function labelOf(command: RowCommand): string {
  switch (command.kind) {
    case 'action':
      return command.action.label
    case 'trash':
      return 'Delete'
    case 'restore':
      return 'Restore'
    case 'force':
      return 'Permanently Delete'
    case 'own':
      return command.label
    default:
      return command satisfies never
  }
}

export interface Rights {
  act: boolean
  /** Who may delete may restore what they deleted (domain section 19), and so undo it. */
  delete: boolean
}

/** What may be done with rows, trashed ones or others. */
export function commandsFor(trashed: boolean, actions: readonly RowAction[], rights: Rights): RowCommand[] {
  if (trashed) return rights.delete ? [{ kind: 'restore' }, { kind: 'force' }] : []
  return [
    ...(rights.act ? actions.map((action) => ({ kind: 'action', action }) as const) : []),
    ...(rights.delete ? [{ kind: 'trash' } as const] : []),
  ]
}
