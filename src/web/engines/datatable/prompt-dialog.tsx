import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ChangeEvent, type SyntheticEvent } from 'react'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import type { List } from './list.ts'
import type { Prompt, RowCommand, ServerCommand, Target } from './row-commands.ts'

/** A command that waits for the user's answer to its prompt. */
interface Question {
  command: ServerCommand
  target: Target
  prompt: Prompt
}

/** Runs commands: shows the prompt first if there is one, then the outcome, and marks the lists of the model as stale. */
export function useCommands({ model, query }: List, onDone: () => void) {
  const [question, setQuestion] = useState<Question | null>(null)
  const { mutate: execute, isPending: busy } = useMutation({
    mutationFn: ({ command, target, answer = '' }: { command: ServerCommand; target: Target; answer?: string }) =>
      command.send(target, answer),
    onSuccess: (message, { command: { undo }, target }) => {
      onDone()
      const options = undo ? { action: { label: 'Undo', onClick: () => execute({ command: undo, target }) } } : {}
      if (message !== '') toast.success(message, options)
    },
    onError: (error, { command }) => showError(error, command.alertAlways),
    onSettled: () => {
      setQuestion(null)
      invalidateAfterWrite(model, null, query['filter__account_id'] ?? null)
    },
  })
  const start = (command: RowCommand, target: Target) => {
    if ('run' in command) return command.run(target.ids)
    const prompt = command.prompt(target)
    if (prompt === null) execute({ command, target })
    else setQuestion({ command, target, prompt })
  }
  const answer = (value: string) => question && execute({ ...question, answer: value })
  return { start, question, busy, answer, cancel: () => setQuestion(null) }
}

interface AnswerProps {
  prompt: Prompt
  value: string
  onChange: (value: string) => void
}

function Answer({ prompt: { type, message, placeholder, options = [] }, value, onChange }: AnswerProps) {
  if (type === 'confirm') return null
  const shared = {
    'aria-label': message,
    'data-autofocus': true,
    required: true,
    value,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => onChange(event.currentTarget.value),
  }
  if (type !== 'select') return <TextInput {...shared} type={type} placeholder={placeholder} />
  return <NativeSelect {...shared} size="md" data={[{ value: '', label: placeholder ?? 'Please choose', disabled: true }, ...options]} />
}

interface PromptDialogProps {
  question: Question
  busy: boolean
  onAnswer: (answer: string) => void
  onClose: () => void
}

/** The question before a command runs: a confirmation, a text, a choice or a date. */
export function PromptDialog({ question: { command, prompt }, busy, onAnswer, onClose }: PromptDialogProps) {
  const [value, setValue] = useState('')
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (prompt.type === 'confirm' || value.trim() !== '') onAnswer(value.trim())
  }
  return (
    <Modal opened onClose={onClose} title={prompt.title} zIndex={400}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="md">{prompt.message}</Text>
          <Answer prompt={prompt} value={value} onChange={setValue} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={busy}
              {...(command.dangerous ? { color: 'brick' } : {})}
              data-autofocus={prompt.type === 'confirm' || undefined}
            >
              {command.label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
