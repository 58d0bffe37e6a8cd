import type { UseQueryResult } from '@tanstack/react-query'
import { isApiError } from '#web/data/errors.ts'
import { modelCalls, type FormModel, type SaveCalls } from '#web/data/models.ts'
import { NO_LONGER_ALLOWED, useIsWithdrawn } from '#web/data/session.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Facts } from '../panel/facts.tsx'
import { changedNames, fieldsOf, valueText } from './form-values.ts'
import type { RecordFormState } from './use-record-form.ts'

export interface Withdrawal {
  /** Why the form cannot be saved; null while it can. */
  reason: string | null
  /** The record is deleted, or the user no longer has access to it, so that its values must go. */
  gone: boolean
}

/** What the user has lost since the form was opened. */
export function useWithdrawal(model: FormModel, isNew: boolean, { error }: Pick<UseQueryResult, 'error'>): Withdrawal {
  const { create, update }: SaveCalls = modelCalls[model]
  const cannotSave = useIsWithdrawn(isNew ? create : update)
  const cannotSee = useIsWithdrawn(modelCalls[model].show)
  const kind = isApiError(error) ? error.kind : undefined
  const gone = kind === 'not_found' || (!isNew && cannotSee) || (kind === 'forbidden' && !cannotSave)
  if (gone || cannotSave) return { reason: isNew ? 'You can no longer add this.' : NO_LONGER_ALLOWED, gone }
  return { reason: null, gone }
}

/** In place of a form whose record the user can no longer see: only what they have entered themselves, to copy it. */
export function EnteredValues({ state: { form, initial, values } }: { state: RecordFormState }) {
  const changed = changedNames(initial, values)
  const fields = fieldsOf(form).filter(({ name, type }) => changed.includes(name) && type !== 'password')
  return (
    <>
      <EmptyState title="This record is not here">It was deleted, or you don't have access to it.</EmptyState>
      {fields.length > 0 && (
        <section aria-label="What you entered">
          <p>What you entered was not saved:</p>
          <Facts facts={fields.map((field) => ({ label: field.label, value: valueText(field, values[field.name], values['currency']) }))} />
        </section>
      )}
    </>
  )
}
