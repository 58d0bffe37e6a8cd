import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import type { List } from './list.ts'
import { tooMany, type Answer, type Prompt, type RowCommand, type ServerCommand, type Target } from './row-commands.ts'

/** A command that waits for the user's answer to its prompt. */
interface Question {
  command: ServerCommand
  target: Target
  prompt: Prompt
  /** The answer has been sent. Set in the same render as the click, so that a second click finds the button disabled. */
  sending: boolean
  /** Why the server rejected the answer, which stays in the dialog. */
  rejected?: string
}

const NO_ANSWER: Answer = { value: '', prefix: '' }

/** Runs commands: shows the prompt first if there is one, then the outcome, and marks the lists of the model as stale. */
export function useCommands({ model, query }: List, onDone: () => void) {
  const [question, setQuestion] = useState<Question | null>(null)
  const { mutate: execute } = useMutation({
    mutationFn: ({ command, target, answer = NO_ANSWER }: { command: ServerCommand; target: Target; answer?: Answer }) =>
      command.send(target, answer),
    onSuccess: ({ message, changed = [] }, { command: { undo }, target }) => {
      setQuestion(null)
      onDone()
      const opposite = undo?.(target, changed)
      const options = opposite ? { action: { label: 'Undo', onClick: () => execute({ command: opposite, target }) } } : {}
      if (message !== '') toast.success(target.note === undefined ? message : `${message} ${target.note}`, options)
    },
    onError: (error, { command }) => {
      showError(error, command.alertAlways)
      // What the user has entered is not lost.
      const retry = (open: Question) => ({ ...open, sending: false, rejected: messageOf(error) })
      setQuestion((open) => (open === null || open.prompt.type === 'confirm' ? null : retry(open)))
    },
    onSettled: () => invalidateAfterWrite(model, null, query['filter__account_id'] ?? null),
  })
  const start = (command: RowCommand, target: Target) => {
    const refusal = 'run' in command ? tooMany(model, 'processed')(target) : command.refusal?.(target)
    if (refusal !== undefined) return toast.warning(refusal)
    if ('run' in command) return command.run(target.ids)
    const prompt = command.prompt(target)
    if (prompt === null) execute({ command, target })
    else setQuestion({ command, target, prompt, sending: false })
  }
  const prompt = question && {
    question,
    onAnswer: (answer: Answer) => {
      setQuestion({ ...question, sending: true })
      execute({ ...question, answer })
    },
    onClose: () => setQuestion(null),
  }
  return { start, prompt }
}

/** What the dialog of a command needs. */
export type PromptProps = NonNullable<ReturnType<typeof useCommands>['prompt']>
