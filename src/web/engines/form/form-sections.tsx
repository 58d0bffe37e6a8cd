import { Button } from '@mantine/core'
import { useId, useState, type MouseEvent } from 'react'
import type { FormField, FormSection } from '#contract/form.ts'
import { Field } from './field.tsx'
import { isEmpty, isWide, valueText } from './form-values.ts'
import type { RecordFormState } from './use-record-form.ts'
import classes from './form.module.css'

/** Focuses the first input of a form, or of a part of it. */
export const focusInput = (part: Element | null | undefined): void =>
  part?.querySelector<HTMLElement>('input:not([disabled]), textarea:not([disabled])')?.focus({ preventScroll: true })

function Disputed({ field, state }: { field: FormField; state: RecordFormState }) {
  if (!(field.name in state.disputed)) return null
  const choose = (decide: (name: string) => void) => (event: MouseEvent) => {
    focusInput(event.currentTarget.closest('[data-disputed]'))
    decide(field.name)
  }
  return (
    <div className={classes['disputed']} role="alert">
      <span>
        {state.savedBy} saved <strong>{valueText(field, state.disputed[field.name], state.initial['currency'])}</strong> meanwhile; you
        entered <strong>{valueText(field, state.values[field.name], state.values['currency'])}</strong>.
      </span>
      <span className={classes['choices']}>
        <Button size="compact-sm" variant="default" onClick={choose(state.keepMine)}>
          Keep mine
        </Button>
        <Button size="compact-sm" variant="default" onClick={choose(state.takeTheirs)}>
          Take theirs
        </Button>
      </span>
    </div>
  )
}

const errorsBelow = (name: string, errors: RecordFormState['errors']) =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, error]) => (path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), error]] : [])),
  )

function SectionFields({ fields, state }: { fields: readonly FormField[]; state: RecordFormState }) {
  return (
    <div className={classes['grid']}>
      {fields.map((field) => (
        <div
          key={field.name}
          data-disputed={field.name in state.disputed || undefined}
          className={isWide(field) ? classes['wide'] : undefined}
        >
          <Field
            field={field}
            value={state.values[field.name]}
            error={state.errors[field.name]}
            itemErrors={errorsBelow(field.name, state.errors)}
            onChange={(value, path) => state.set(field.name, value, path)}
            currency={state.values['currency']}
          />
          <Disputed field={field} state={state} />
        </div>
      ))}
    </div>
  )
}

interface FormSectionsProps {
  state: RecordFormState
  isOptional?: ((field: FormField) => boolean) | undefined
}

function Section({ section, state, isOptional }: FormSectionsProps & { section: FormSection }) {
  const heading = useId()
  const [open, setOpen] = useState(false)
  const isFilled = (value: unknown) => !isEmpty(value) && value !== false
  const isNeeded = ({ name }: FormField) => isFilled(state.initial[name]) || name in state.errors || name in state.disputed
  const fields = section.fields.filter(({ name }) => !(name in state.presets))
  const folded = open ? [] : fields.filter((field) => isOptional?.(field) === true && !isNeeded(field))
  const shown = fields.filter((field) => !folded.includes(field))
  if (shown.length === 0 && folded.length === 0) return null
  return (
    // Not a landmark: a page with a form can have one of the same name.
    <div
      role={section.title === '' ? undefined : 'group'}
      aria-labelledby={section.title === '' ? undefined : heading}
      className={classes['section']}
    >
      {section.title !== '' && (
        <h3 id={heading} className={classes['heading']}>
          {section.title}
        </h3>
      )}
      <SectionFields fields={shown} state={state} />
      {folded.length > 0 && (
        <Button variant="subtle" size="compact-sm" mt={8} aria-expanded={false} onClick={() => setOpen(true)}>
          {`Show ${folded.length} more field${folded.length === 1 ? '' : 's'}`}
        </Button>
      )}
    </div>
  )
}

/** The fields of a form by section, with their errors and disputed values. Empty optional fields are hidden behind a button. */
export function FormSections(props: FormSectionsProps) {
  return props.state.form.sections.map((section, index) => (
    <Section key={`${section.title}-${String(index)}`} section={section} {...props} />
  ))
}
