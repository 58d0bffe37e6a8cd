import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { STATUS_SAVE_DEBOUNCE_MS } from '#contract/limits.ts'
import { DEFAULT_STATUS_COLOR, statusCalls, type CompanyStatus, type StatusGroup, type StatusState } from '#contract/statuses.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { showError } from '#web/engines/show-error.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { STATUS_CHANGES } from './use-status-group.ts'

interface Values {
  name: string
  color: string
  state: StatusState | null
}

/** What is saved: all values of a new status, and those that the user changed of others. */
interface Save {
  values: Values
  changed: readonly (keyof Values)[]
}

const LOST = 'Another user deleted this status, so your change is not saved. Change it again to add it as a new one.'

const pick = (values: Partial<Values>, fields: readonly string[]): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)))

const valuesOf = (status: CompanyStatus | undefined, group: StatusGroup): Values => ({
  name: status?.name ?? '',
  color: status?.color ?? DEFAULT_STATUS_COLOR,
  state: status === undefined && group === 'simple_account' ? 'uploading' : (status?.state ?? null),
})

export interface StatusRowProps {
  /** The same before and after the first save. */
  rowKey: string
  group: StatusGroup
  /** Undefined until the first save. */
  status: CompanyStatus | undefined
  /** Another user has deleted the status, which is as it was before, while it was edited here. */
  lost: boolean
  onSaved: (status: CompanyStatus) => void
  onRemoved: () => void
  onEdited: (edited: boolean) => void
}

interface Saving extends Pick<StatusRowProps, 'rowKey' | 'group' | 'status'> {
  onSaved: (saved: CompanyStatus, sent: Values) => void
  onRejected: (message: string) => void
}

function useSaving({ rowKey, group, status, onSaved, onRejected }: Saving) {
  const client = useQueryClient()
  /** A second save may be waiting while the first one adds the status. */
  const id = useRef(status?.id)
  /** The values that the sent ones replace. */
  const before = useRef<Partial<Values>>({})
  const { mutate } = useMutation({
    mutationKey: STATUS_CHANGES,
    // One after the other, so that the last one wins and the first one alone adds.
    scope: { id: rowKey },
    mutationFn: async ({ values: sent, changed }: Save) =>
      id.current === undefined
        ? (await api(statusCalls.create, { body: { model_type: group, ...sent } })).data
        : (
            await api(statusCalls.update, {
              params: { id: id.current },
              body: { ...pick(sent, changed), before: pick(before.current, changed) },
            })
          ).data,
    onSuccess: (saved, { values: sent }) => {
      id.current = saved.id
      before.current = pick(valuesOf(saved, group), Object.keys(before.current))
      onSaved(saved, sent)
    },
    onError: async (failure) => {
      const kind = isApiError(failure) ? failure.kind : undefined
      if (kind === 'not_found') return onRejected(LOST)
      if (isApiError(failure) && kind === 'conflict') {
        onRejected(failure.message)
        await client.invalidateQueries({ queryKey: queries.statuses().queryKey })
        // The user has seen the new value in the message, so the next change replaces that one.
        before.current = {}
        return undefined
      }
      const [message] = isApiError(failure) ? Object.values(firstMessages(failure)) : []
      return message === undefined ? showError(failure) : onRejected(message)
    },
  })
  return {
    send: mutate,
    /** Those of the fields in `edited` stay, because their change is not saved yet. */
    setBefore: (values: Partial<Values>, edited: readonly string[]) => {
      before.current = { ...values, ...pick(before.current, edited) }
    },
    /** The next save adds the status. */
    forget: () => {
      id.current = undefined
    },
  }
}

/** The values of a row, which are saved a moment after the last change. */
export function useStatusRow({ rowKey, group, status, lost, onSaved, onRemoved, onEdited }: StatusRowProps) {
  const [edits, setEdits] = useState<Partial<Values>>({})
  const [error, setError] = useState('')
  const values = { ...valuesOf(status, group), ...edits }
  const showSaved = (saved: CompanyStatus, sent: Values) => {
    // What was typed during the save remains, and is saved next.
    setEdits((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => sent[name as keyof Values] !== value)))
    setError('')
    onSaved(saved)
  }
  const { send, setBefore, forget } = useSaving({ rowKey, group, status, onSaved: showSaved, onRejected: setError })
  const save = useDebouncedCallback(
    (next: Save): void => {
      const name = next.values.name.trim()
      if (name === '') return setError('Please enter a name.')
      send({ ...next, values: { ...next.values, name } })
    },
    { delay: STATUS_SAVE_DEBOUNCE_MS, flushOnUnmount: true },
  )
  const edited = Object.keys(edits).length > 0
  const reportEdited = useEffectEvent(onEdited)
  useEffect(() => reportEdited(edited), [edited])
  const stop = useEffectEvent(() => {
    save.cancel()
    forget()
  })
  useEffect(() => {
    if (lost) stop()
  }, [lost])
  const change = (patch: Partial<Values>) => {
    const next = { ...edits, ...patch }
    const changed = Object.keys(next) as (keyof Values)[]
    setBefore(pick(valuesOf(status, group), changed), Object.keys(edits))
    setEdits(next)
    setError('')
    save({ values: { ...values, ...patch }, changed })
  }
  const remove = async (button: Element) => {
    if (lost || (status === undefined && values.name.trim() === '')) return onRemoved()
    const question = {
      title: `Delete ${values.name}`,
      message: 'Are you sure you wish to delete this status? This cannot be undone.',
      confirm: 'Delete',
    }
    if (!(await confirmDialog(question))) return undefined
    save.cancel()
    if (status !== undefined) await api(statusCalls.remove, { params: { id: status.id } })
    focusNeighbour(button)
    return onRemoved()
  }
  return { values, error: error === '' && lost ? LOST : error, change, remove }
}

/** Moves the focus from a row that is about to be removed to the same button of the next one. */
function focusNeighbour(button: Element): void {
  const row = button.closest('li')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  next?.querySelector<HTMLElement>(':scope > button:last-child')?.focus({ preventScroll: true })
}
