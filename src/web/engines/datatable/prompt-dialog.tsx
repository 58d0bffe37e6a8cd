import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ChangeEvent, type SyntheticEvent } from 'react'
import { useToday } from '#web/data/session.ts'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import { useDeletedContents } from './deleted-contents.tsx'
import type { PromptProps } from './use-commands.ts'

const PREFIX_MAX_CHARACTERS = 100

/** The question before a command runs: a confirmation, a text, a choice or a date. */
export function PromptDialog({ question, onAnswer, onClose }: PromptProps) {
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

type PromptButtonsProps = Pick<PromptProps, 'question' | 'onClose'> & { canSend: boolean }

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
