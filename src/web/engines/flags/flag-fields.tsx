import { Button, Checkbox, Select, Textarea, TextInput, type TextareaProps } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import type { Flag } from '#contract/flags.ts'
import { FLAG_TEXT_MAX_CHARACTERS } from '#contract/limits.ts'
import { useAssignees, type FlaggedRecord } from './flagged-record.ts'
import classes from './flags.module.css'

/** A text about a flag: its message, or how it was closed. */
export const FlagText = (props: TextareaProps & { ref?: Ref<HTMLTextAreaElement> }) => (
  <Textarea size="md" required autosize minRows={2} maxLength={FLAG_TEXT_MAX_CHARACTERS} {...props} />
)

export const FlagMessage = (props: TextareaProps & { ref?: Ref<HTMLTextAreaElement> }) => (
  <FlagText label="What needs attention?" maxRows={6} {...props} />
)

interface FlagDetailsProps {
  record: FlaggedRecord
  /** Who has the flag now. */
  present?: Flag['assigned_to']
  /** The value of a field with what changes it and its error. */
  field: (name: 'assigned_to' | 'due_on') => object
  /** The same of the checkbox. */
  high: object
  /** Fields before the others. */
  children?: ReactNode
}

/** Who has a flag, until when, and its priority. */
export function FlagDetails({ record, present = null, field, high, children }: FlagDetailsProps) {
  const assignees = useAssignees(record, present)
  return (
    <>
      <div className={classes['fields']}>
        {children}
        <Select label="Assigned to" placeholder="Not assigned" data={assignees} clearable searchable {...field('assigned_to')} />
        <TextInput type="date" label="Due" {...field('due_on')} />
      </div>
      <Checkbox label="High priority" {...high} />
    </>
  )
}

interface FlagButtonsProps {
  submit: string
  size?: 'xs' | 'sm'
  isPending: boolean
  disabled?: boolean
  onCancel: () => void
}

export const FlagButtons = ({ submit, size = 'xs', isPending, disabled = false, onCancel }: FlagButtonsProps) => (
  <div className={classes['buttons']}>
    <Button type="submit" size={size} loading={isPending} disabled={disabled}>
      {submit}
    </Button>
    <Button variant="default" size={size} onClick={onCancel}>
      Cancel
    </Button>
  </div>
)
