import { useState } from 'react'
import { api } from '#web/data/client.ts'
import type { ListedModel } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import { ROW_CALLS } from './row-calls.ts'
import { promptFor, type Prompt, type RowCommand, type Target } from './row-command.ts'
import { runAction } from './run-action.ts'

interface Asked {
  command: RowCommand
  target: Target
  prompt: Prompt
}

async function run(
  model: ListedModel,
  command: RowCommand,
  target: Target,
  answer: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const ids = [...target.ids]
  switch (command.kind) {
    case 'action':
      return runAction(model, command.action, target, answer, query)
    case 'trash':
      return (await api(ROW_CALLS[model].trash, { body: { selectedIds: ids, force: false } })).message
    case 'force':
      return (await api(ROW_CALLS[model].trash, { body: { selectedIds: ids, force: true } })).message
    case 'restore':
      return (await api(ROW_CALLS[model].restore, { body: { selectedIds: ids } })).message
    case 'own':
      return ''
    default:
      return command satisfies never
  }
}

/**
 * Runs commands on rows: asks first where a question belongs, tells the outcome, makes the lists of the model stale.
 * @param query the index query of the list as it stands, whose filters go along
 * @param onDone after a command has succeeded
 */
export function useRowCommands(model: ListedModel, query: Readonly<Record<string, string>>, onDone: () => void) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [busy, setBusy] = useState(false)

  const execute = async (command: RowCommand, target: Target, answer: string) => {
    setBusy(true)
    try {
      const message = await run(model, command, target, answer, query)
      setAsked(null)
      onDone()
      const undo = { label: 'Undo', onClick: () => void execute({ kind: 'restore' }, target, '') }
      if (message !== '') toast.success(message, ...(command.kind === 'trash' ? [{ action: undo }] : []))
    } catch (error) {
      setAsked(null)
      showError(error, command.kind !== 'action')
    } finally {
      setBusy(false)
      invalidateAfterWrite(model, null, query['filter__account_id'] ?? null)
    }
  }
  const start = (command: RowCommand, target: Target) => {
    if (command.kind === 'own') return command.run(target.ids)
    const prompt = promptFor(command, model, target)
    if (prompt === null) void execute(command, target, '')
    else setAsked({ command, target, prompt })
  }
  return {
    start,
    busy,
    prompt: asked?.prompt ?? null,
    answer: (value: string) => asked && void execute(asked.command, asked.target, value),
    cancel: () => setAsked(null),
  }
}
