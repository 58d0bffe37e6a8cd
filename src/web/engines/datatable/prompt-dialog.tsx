import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import type { Question } from './dialogs.ts'
import type { Prompt } from './row-commands.ts'
import classes from './controls.module.css'

interface PromptDialogProps {
  question: Question
  busy: boolean
  onAnswer: (answer: string) => void
  onClose: () => void
}

function Answer({ prompt, value, onChange }: { prompt: Prompt; value: string; onChange: (value: string) => void }) {
  if (prompt.type === 'confirm') return null
  if (prompt.type === 'select') {
    return (
      <select
        className={classes['select']}
        aria-label={prompt.message}
        required
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-autofocus
      >
        <option value="" disabled>
          {prompt.placeholder ?? 'Please choose'}
        </option>
        {prompt.options?.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  return (
    <TextInput
      type={prompt.type}
      required
      aria-label={prompt.message}
      {...(prompt.placeholder === undefined ? {} : { placeholder: prompt.placeholder })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  )
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
              {...(prompt.type === 'confirm' ? { 'data-autofocus': true } : {})}
            >
              {command.label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
