import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { ReactNode } from 'react'
import type { FormField } from '#contract/form.ts'
import classes from './form.module.css'

interface Pair {
  label: string
  value: string
}

interface PairsFieldProps {
  field: FormField
  value: unknown
  error: ReactNode
  onChange: (value: unknown) => void
}

const isPair = (value: unknown): value is Pair => typeof value === 'object' && value !== null && 'label' in value && 'value' in value

/** A list of free label and value items, such as an account's own facts. */
export function PairsField({ field, value, error, onChange }: PairsFieldProps) {
  const pairs = Array.isArray(value) ? value.filter(isPair) : []
  const change = (at: number, patch: Partial<Pair>) => onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...patch } : pair)))
  return (
    <Input.Wrapper label={field.label} error={error} labelElement="div" role="group" aria-label={field.label}>
      <div>
        {pairs.map((pair, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- items have no identity of their own; their place is it
          <div key={index} className={classes['pair']}>
            <TextInput
              aria-label={`Name of item ${index + 1}`}
              placeholder="Name"
              value={pair.label}
              onChange={(event) => change(index, { label: event.currentTarget.value })}
            />
            <TextInput
              aria-label={`Value of item ${index + 1}`}
              placeholder="Value"
              value={pair.value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove item ${index + 1}`}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="xs"
          mt={4}
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={field.max !== undefined && pairs.length >= field.max}
          onClick={() => onChange([...pairs, { label: '', value: '' }])}
        >
          Add item
        </Button>
      </div>
    </Input.Wrapper>
  )
}
