import { PROPERTY_FIELDS, PROPERTY_SECTIONS, type PropertyField } from '#contract/property-fields.ts'

export interface FieldGroup {
  section: string
  fields: { name: string; label: string }[]
}

const importable = Object.entries<PropertyField>(PROPERTY_FIELDS).filter(([, field]) => field.importable)

/** The fields a column may be mapped to, by section of the record. */
export const FIELD_GROUPS: readonly FieldGroup[] = Object.entries(PROPERTY_SECTIONS).map(([section, title]) => ({
  section: title,
  fields: [
    ...importable.filter(([, field]) => field.section === section).map(([name, field]) => ({ name, label: field.label })),
    // One column that holds street, city, state and ZIP together; the server takes it apart.
    ...(section === 'address' ? [{ name: 'full_address', label: 'Whole address in one cell' }] : []),
  ],
}))

const NUMERIC: ReadonlySet<string> = new Set(
  importable
    .filter(([, { kind }]) => ['integer', 'number', 'area', 'percent', 'money', 'year', 'latitude', 'longitude'].includes(kind))
    .map(([name]) => name),
)

/** Whether the values of a field are measured, and so stand at the right of their column. */
export const isNumeric = (field: string | null): boolean => field !== null && NUMERIC.has(field)
