import type { z } from 'zod'
import type { FormField } from '#contract/form.ts'

type Field = z.input<typeof FormField>

/** A field of a form with its current value. */
export const field = (
  name: string,
  label: string,
  type: Field['type'],
  value: unknown,
  options: Partial<Omit<Field, 'name' | 'label' | 'type' | 'value'>> = {},
): Field => ({ name, label, type, value, required: false, ...options })
