import type { z } from 'zod'
import type { Form, FormField, FormSection } from '#contract/form.ts'

type Field = z.input<typeof FormField>

interface FieldOptions extends Partial<Omit<Field, 'name' | 'label' | 'type' | 'value'>> {}

/** One field of a form; `value` is what it shows now. */
export const field = (name: string, label: string, type: Field['type'], value: unknown, options: FieldOptions = {}): Field => ({
  name,
  label,
  type,
  value,
  required: false,
  ...options,
})

/** Choices of a select from a vocabulary of the contract. */
export const optionsOf = (labels: Readonly<Record<string, string>>): { value: string; label: string }[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

interface FormOptions {
  model: string
  id?: string | undefined
  title: string
  version?: number | undefined
  sections: z.input<typeof FormSection>[]
}

/** The description of a form as forms/{model} answers it (decisions Q42). */
export const buildForm = ({ model, id, title, version, sections }: FormOptions): z.input<typeof Form> => ({
  model,
  id: id ?? null,
  title,
  version: version ?? null,
  sections: sections.filter(({ fields }) => fields.length > 0),
})
