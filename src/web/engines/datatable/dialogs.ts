import { useCallback, useState } from 'react'
import { DROPDOWN_UP_LAST_ROWS } from '#contract/limits.ts'
import type { ListedModel, Rows } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import type { List } from './list.ts'
import type { Prompt, RowCommand, ServerCommand, Target } from './row-commands.ts'

export interface MenuPlace {
  /** Position of the menu button, as the CSS `inset` of a fixed box. */
  inset: string
  upward: boolean
}

/** The last rows open their menu upward so that it stays on the page. */
export const opensUpward = (index: number, count: number): boolean =>
  count > DROPDOWN_UP_LAST_ROWS && index >= count - DROPDOWN_UP_LAST_ROWS

/** The menu of the row whose button was pressed. */
function useRowMenu<R>(rows: readonly R[]) {
  const [opened, setOpened] = useState<{ row: R; place: MenuPlace } | null>(null)
  // Rows are memoized and get this function.
  const open = useCallback(
    (row: R, button: HTMLElement) => {
      const { top, left, bottom, right } = button.getBoundingClientRect()
      const inset = `${top}px calc(100vw - ${right}px) calc(100vh - ${bottom}px) ${left}px`
      setOpened({ row, place: { inset, upward: opensUpward(rows.indexOf(row), rows.length) } })
    },
    [rows],
  )
  return { opened, open, close: () => setOpened(null) }
}

/** A command that waits for the user's answer to its prompt. */
export interface Question {
  command: ServerCommand
  target: Target
  prompt: Prompt
}

/** Runs commands: shows the prompt first if there is one, then the outcome, and marks the lists of the model as stale. */
function useCommands({ model, query }: List, onDone: () => void) {
  const [question, setQuestion] = useState<Question | null>(null)
  const [busy, setBusy] = useState(false)

  const execute = async (command: ServerCommand, target: Target, answer: string) => {
    setBusy(true)
    try {
      const message = await command.send(target, answer)
      onDone()
      const { undo } = command
      const options = undo ? { action: { label: 'Undo', onClick: () => void execute(undo, target, '') } } : {}
      if (message !== '') toast.success(message, options)
    } catch (error) {
      showError(error, command.alertAlways)
    } finally {
      setQuestion(null)
      setBusy(false)
      invalidateAfterWrite(model, null, query['filter__account_id'] ?? null)
    }
  }
  const start = (command: RowCommand, target: Target) => {
    if ('run' in command) return command.run(target.ids)
    const prompt = command.prompt(target)
    if (prompt === null) void execute(command, target, '')
    else setQuestion({ command, target, prompt })
  }
  return {
    start,
    question,
    busy,
    answer: (value: string) => question && void execute(question.command, question.target, value),
    cancel: () => setQuestion(null),
  }
}

/** What opens over a list: the menu of a row, the prompt of a command and the column settings. */
export function useDialogs<M extends ListedModel>(list: List<M>, onCommandDone: () => void) {
  const [columnsOpened, setColumnsOpened] = useState(false)
  return {
    menu: useRowMenu<Rows[M]>(list.rows),
    command: useCommands(list, onCommandDone),
    columns: { opened: columnsOpened, open: () => setColumnsOpened(true), close: () => setColumnsOpened(false) },
  }
}
