import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { PropertyRow } from '#contract/account-properties.ts'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import type { PropertyValue } from '#contract/property-format.ts'
import { changedBy, firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { cellOf } from '#web/engines/datatable/cells.tsx'
import { showError } from '#web/engines/show-error.ts'
import { confirmEdit, parseInput, saveValue } from './save-cell.ts'

interface Cell {
  row: PropertyRow
  name: PropertyFieldName
}

/** The value that an edit is compared with, and who has saved it since the edit began, if another user has. */
interface Base {
  version: number
  text: string
  disputedBy: string | null
}

const textOf = (value: PropertyValue | boolean | undefined) => String(value ?? '')

/**
 * Saves with a confirmation and Undo, and returns the base of a further edit. If another value of the property was changed, saves over
 * it. If this value was changed, the user has to see it first.
 */
async function saveOver(client: QueryClient, { row: { id, currency }, name }: Cell, value: PropertyValue, from: Base): Promise<Base> {
  const save = async (base: number, before: string): Promise<Base> => {
    const version = await saveValue(client, id, base, name, value)
    confirmEdit(client, id, version, name, { from: before, to: value, currency })
    return { version, text: textOf(value), disputedBy: null }
  }
  try {
    return await save(from.version, from.text)
  } catch (error) {
    if (!isApiError(error) || error.kind !== 'conflict') throw error
    const { version, values } = await client.query({ ...queries.property(id), staleTime: 0 })
    const theirs = textOf(values[name])
    // The same value, as after rounding to whole units, leaves no choice.
    return theirs === from.text || theirs === textOf(value)
      ? save(version, theirs)
      : { version, text: theirs, disputedBy: changedBy(error) }
  }
}

/** The last choice made while an earlier one is saved: a select, unlike an input, cannot be read-only. */
function useNextChoice() {
  const next = useRef<string>(undefined)
  const take = () => {
    const typed = next.current
    next.current = undefined
    return typed
  }
  return { set: (typed: string) => (next.current = typed), take }
}

/** The edit of one cell, while its input is mounted. */
export function useCellEdit(row: PropertyRow, name: PropertyFieldName, onDone: () => void) {
  const client = useQueryClient()
  const [base, setBase] = useState<Base>({ version: row.version, text: textOf(cellOf(row, name).value), disputedBy: null })
  const [text, setText] = useState(base.text)
  const [problem, setProblem] = useState<string | null>(null)
  const next = useNextChoice()
  const saving = useMutation({
    mutationFn: ({ value, from }: { value: PropertyValue; from: Base }) => saveOver(client, { row, name }, value, from),
    onSuccess: (stored) => {
      const typed = next.take()
      setBase(stored)
      if (stored.disputedBy !== null) return
      if (typed === undefined) onDone()
      else submit(typed, stored)
    },
    onError: (error, { from }) => {
      const typed = next.take()
      if (!isApiError(error) || error.kind !== 'invalid') showError(error, true)
      else if (typed === undefined) setProblem(firstMessages(error)[name] ?? messageOf(error))
      else submit(typed, from)
    },
  })
  const type = (typed: string) => {
    setText(typed)
    setProblem(null)
  }
  const submit = (typed: string, from: Base) => {
    const parsed = parseInput(name, typed)
    if ('problem' in parsed) setProblem(parsed.problem)
    else if (textOf(parsed.value) === from.text && from.disputedBy === null) onDone()
    else saving.mutate({ value: parsed.value, from })
  }
  const save = (typed: string) => {
    type(typed)
    if (!saving.isPending) submit(typed, base)
    else if (typed !== text) next.set(typed)
  }
  const takeTheirs = () => {
    onDone()
    invalidateAfterWrite('account_properties', row.id)
  }
  return {
    text,
    isChanged: text !== base.text,
    type,
    problem,
    disputedBy: base.disputedBy,
    theirs: base.disputedBy === null ? undefined : base.text,
    isSaving: saving.isPending,
    save,
    takeTheirs,
  }
}
