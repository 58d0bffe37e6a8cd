import { z } from 'zod'

/** A form as the server describes it. The browser renders it, and the input schema of the model validates it. */
/** The options of a `group` are listed below its name. */
export const FormOption = z.object({ value: z.string(), label: z.string(), group: z.string().optional() })

/** The options of a select from a code list. */
export const optionsOf = (labels: Readonly<Record<string, string>>): z.output<typeof FormOption>[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const PlainField = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum([
    'text',
    'textarea',
    'number',
    'money',
    'date',
    'select',
    'multiselect',
    'search',
    'checkbox',
    'password',
    'email',
    'pairs',
    'percent',
    'group',
  ]),
  value: z.unknown(),
  required: z.boolean(),
  options: z.array(FormOption).optional(),
  /** The call that finds choices for a search field; see `searchOf`. */
  search: z.enum(['companies', 'company_names', 'users', 'roles', 'account_properties']).optional(),
  /** The labels of the ids in a search field. */
  labels: z.record(z.string(), z.string()).optional(),
  placeholder: z.string().optional(),
  help: z.string().optional(),
  disabled: z.boolean().optional(),
  multiple: z.boolean().optional(),
  /** Choices of other fields depend on this one: the form is requested again with each new value. */
  narrows: z.boolean().optional(),
  max: z.number().optional(),
  /** Money with cents; other amounts are rounded to whole units. */
  cents: z.boolean().optional(),
  /** A number without decimals, such as a year. */
  whole: z.boolean().optional(),
  /** For password managers; a field of type password is for a new password unless this says otherwise. */
  autocomplete: z.literal('current-password').optional(),
})

/**
 * A field of type `group` is a list of items with the same `fields`, whose values are those of a new item. An item is an object with their
 * names; other keys of it, such as its id, are sent back as they are.
 */
export const FormField = PlainField.extend({
  fields: z.array(PlainField).optional(),
  /** What one item is, in lower case, and the keys whose values form its heading. */
  item: z.object({ one: z.string(), heading: z.array(z.string()) }).optional(),
})
export type FormField = z.output<typeof FormField>

/** What a search field finds: companies unless the form says otherwise. */
export const searchOf = ({ search }: Pick<FormField, 'search'>) => search ?? 'companies'

export const FormSection = z.object({ title: z.string(), fields: z.array(FormField) })
export type FormSection = z.output<typeof FormSection>

export const Form = z.object({
  model: z.string(),
  id: z.string().nullable(),
  title: z.string(),
  /** The version to send with a save; a stale one is answered with 409 and both values. */
  version: z.number().nullable(),
  sections: z.array(FormSection),
})
export type Form = z.output<typeof Form>
