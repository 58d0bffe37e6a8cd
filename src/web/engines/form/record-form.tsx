import { Button } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { plural } from '#contract/format.ts'
import type { Form, FormField } from '#contract/form.ts'
import type { FormModel } from '#web/data/models.ts'
import { queries } from '#web/data/queries.ts'
import { PanelContent } from '../panel/panel-states.tsx'
import { PanelFooter, useUnsavedChanges } from '../panel/route-panel.tsx'
import { FormSections, focusInput } from './form-sections.tsx'
import { fieldsOf, type FormValues } from './form-values.ts'
import { useRecordForm } from './use-record-form.ts'
import { EnteredValues, useWithdrawal } from './withdrawn.tsx'
import classes from './form.module.css'

interface RecordFormProps {
  model: FormModel
  /** Null makes a new record. */
  id: string | null
  /** Sent with the request for the form and, for a new record, with the save. Fields of these names are not shown. */
  presets?: Readonly<Record<string, string>>
  /** Values of fields that are shown, for a new record. */
  prefill?: Readonly<Record<string, string>>
  /** Receives the texts and dates that the user entered, which another form can be prefilled with. */
  onEntered?: (texts: Record<string, string>) => void
  /** Whether a field is hidden behind a button while it is empty. */
  isOptional?: (field: FormField) => boolean
  saveLabel: string
  /** The height of the skeleton, where other content is below. */
  skeletonRows?: number
  onSaved: (id: string) => void
  /** Shows an error that belongs to no field; by default the form does, in a notice. */
  onError?: (error: unknown) => void
  /** Why what is entered cannot be saved now; null while it can. */
  notNow?: string | null
  /** Absent on a page, which has nothing to go back to. */
  onCancel?: () => void
}

const NO_PRESETS = {}

type FilledFormProps = Omit<RecordFormProps, 'id' | 'prefill' | 'skeletonRows'> & { form: Form; query: UseQueryResult<Form> }

function FilledForm(props: FilledFormProps) {
  const { form, model, presets = NO_PRESETS, onEntered, isOptional, saveLabel, onSaved, onError, notNow = null, onCancel, query } = props
  const saved = (id: string) => {
    release()
    onSaved(id)
  }
  const state = useRecordForm({ model, form, presets, onSaved: saved, onError })
  const release = useUnsavedChanges(state.dirty, state.saving)
  const disputed = Object.keys(state.disputed).length
  const undecided = disputed > 0
  const { reason, gone } = useWithdrawal(model, form.id === null, query)
  const withdrawn = reason ?? notNow
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const marked = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (marked) marked.focus()
    else if (state.notice !== null) element.current?.querySelector('[data-notice]')?.scrollIntoView({ block: 'center' })
  }, [state.errors, state.notice])
  const showDisputed = () => {
    const first = element.current?.querySelector('[data-disputed]')
    first?.scrollIntoView({ block: 'center' })
    focusInput(first)
  }
  // After a conflict the save button is disabled, which would lose the focus.
  useEffect(showDisputed, [state.form])
  useEffect(() => onEntered?.(textsOf(state.form, state.values)), [onEntered, state.form, state.values])
  const isPanel = onCancel !== undefined
  useEffect(() => {
    if (isPanel) focusInput(element.current)
  }, [isPanel])
  const Footer = isPanel ? PanelFooter : PageFooter
  return (
    <form ref={element} noValidate className={classes['form']} onSubmit={state.submit} aria-label={form.title}>
      {state.notice !== null && (
        <div className={classes['notice']} role="alert" data-notice>
          {state.notice}
        </div>
      )}
      {gone ? <EnteredValues state={state} /> : <FormSections state={state} isOptional={isOptional} />}
      <Footer>
        <SaveNotes savedBy={state.savedBy} disputed={disputed} withdrawn={withdrawn} onShow={showDisputed} />
        {isPanel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          loading={state.saving}
          disabled={undecided || withdrawn !== null}
          title={undecided ? 'Choose between the two values first.' : undefined}
        >
          {saveLabel}
        </Button>
      </Footer>
    </form>
  )
}

const TEXTS: readonly FormField['type'][] = ['text', 'date']

const textsOf = (form: Form, values: FormValues): Record<string, string> =>
  Object.fromEntries(
    fieldsOf(form).flatMap(({ name, type }) => {
      const value = values[name]
      return TEXTS.includes(type) && typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )

interface SaveNotesProps {
  savedBy: string | null
  disputed: number
  withdrawn: string | null
  onShow: () => void
}

/** Above the buttons: what keeps the user from saving. */
function SaveNotes({ savedBy, disputed, withdrawn, onShow }: SaveNotesProps) {
  return (
    <>
      {withdrawn !== null && (
        <div className={classes['conflict']} role="alert">
          {withdrawn}
        </div>
      )}
      {savedBy !== null && (
        <div className={classes['conflict']} role="alert">
          <span>
            {savedBy} changed this record while you were editing.{' '}
            {disputed > 0 ? `Choose a value for ${plural(disputed, 'field')}.` : 'Check the values and save again.'}
          </span>
          {disputed > 0 && (
            <Button size="compact-sm" variant="default" flex="none" onClick={onShow}>
              Show
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function PageFooter({ children }: { children: ReactNode }) {
  return <div className={classes['pageFooter']}>{children}</div>
}

/** A form as the server describes it, from loading to save. */
export function RecordForm({ id, prefill, skeletonRows, ...rest }: RecordFormProps) {
  const query = useQuery(queries.form(rest.model, id, { ...(id === null ? prefill : {}), ...rest.presets }))
  return (
    <PanelContent query={query} rows={skeletonRows}>
      {(form) => <FilledForm key={form.id ?? 'new'} form={form} query={query} {...rest} />}
    </PanelContent>
  )
}
