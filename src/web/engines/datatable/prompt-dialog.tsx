import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ChangeEvent, type SyntheticEvent } from 'react'
import { useToday } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { messageOf } from '#web/data/errors.ts'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import { showError } from '../show-error.ts'
import { useDeletedContents } from './deleted-contents.tsx'
import type { List } from './list.ts'
import type { Answer, Prompt, RowCommand, ServerCommand, Target } from './row-commands.ts'

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
    onSuccess: (message, { command: { undo }, target }) => {
      setQuestion(null)
      onDone()
      const opposite = undo?.(target)
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
    if ('run' in command) return command.run(target.ids)
    const refusal = command.refusal?.(target)
    if (refusal !== undefined) return toast.warning(refusal)
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

const PREFIX_MAX_CHARACTERS = 100

type PromptDialogProps = NonNullable<ReturnType<typeof useCommands>['prompt']>

/** The question before a command runs: a confirmation, a text, a choice or a date. */
export function PromptDialog({ question, onAnswer, onClose }: PromptDialogProps) {
  useReturnedFocus()
  const { target, prompt, rejected } = question
  const { title, message, about, type, placeholder, options = [], fileName } = prompt
  const deleted = useDeletedContents(prompt.contents)
  const today = useToday()
  const [value, setValue] = useState(type === 'date' ? today : '')
  const [prefix, setPrefix] = useState('')
  const [missing, setMissing] = useState(false)
  const input = {
    'aria-label': message,
    'data-autofocus': true,
    error: missing ? (type === 'date' ? 'Please enter the date.' : 'Please answer this question.') : rejected,
    required: true,
    value,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => setValue(event.currentTarget.value),
  }
  const choices = [{ value: '', label: placeholder ?? 'Please choose', disabled: true }, ...options]
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setMissing(type !== 'confirm' && value.trim() === '')
    if (type === 'confirm' || value.trim() !== '') onAnswer({ value: value.trim(), prefix: prefix.trim() })
  }
  return (
    <Modal opened onClose={onClose} title={title} zIndex={400}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <div>
            <Text fw={600}>{about}</Text>
            <Text size="md">{target.note === undefined ? message : `${message} ${target.note}`}</Text>
          </div>
          {deleted.text}
          {type === 'select' && <NativeSelect {...input} size="md" data={choices} />}
          {(type === 'text' || type === 'date') && <TextInput {...input} type={type} placeholder={placeholder} />}
          {fileName !== undefined && (
            <TextInput
              label="Prefix of the file name"
              description={`${prefix.trim()} ${fileName}`.trim()}
              maxLength={PREFIX_MAX_CHARACTERS}
              value={prefix}
              onChange={(event) => setPrefix(event.currentTarget.value)}
            />
          )}
          <PromptButtons question={question} canSend={deleted.canDelete} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

type PromptButtonsProps = Pick<PromptDialogProps, 'question' | 'onClose'> & { canSend: boolean }

function PromptButtons({ question: { command, prompt, sending }, canSend, onClose }: PromptButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button
        type="submit"
        loading={sending}
        disabled={!canSend}
        {...(command.dangerous ? { color: 'brick' } : {})}
        data-autofocus={prompt.type === 'confirm' || undefined}
      >
        {command.label}
      </Button>
    </Group>
  )
}
