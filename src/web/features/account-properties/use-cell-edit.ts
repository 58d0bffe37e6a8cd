import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { propertyFieldSchema } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { issueMessage } from '#web/engines/form/issue-message.ts'
import { toast } from '#web/ui/toast.tsx'
import type { PropertyValue } from './property-words.ts'
import { saveValue } from './save-property.ts'

type Phase = 'editing' | 'saving'

export interface CellEdit {
  phase: Phase
  /** As typed. */
  text: string
  problem: string | null
  /** What somebody else has saved meanwhile. */
  theirs: PropertyValue | undefined
}

/** The typed text as a value of the field, or the sentence that says what is wrong with it. */
export function readTyped(name: PropertyFieldName, text: string): { value: PropertyValue } | { problem: string } {
  const field = propertyField(name)
  const plain = field.kind === 'money' || field.kind === 'area' || field.kind === 'integer' ? text.replaceAll(/[$,\s]/g, '') : text.trim()
  const checked = propertyFieldSchema(field).safeParse(plain)
  const issue = checked.error?.issues[0]
  if (issue !== undefined) return { problem: issueMessage(issue) }
  return { value: checked.data as PropertyValue } // every kind of field holds a text, a number or nothing
}

const textOf = (value: PropertyValue | undefined) => (value === null || value === undefined ? '' : String(value))

/** Changes one cell in place while its input is mounted, as it stood in the row when the edit began. */
export function useCellEdit(row: { id: string; version: number }, name: PropertyFieldName, shown: PropertyValue, onDone: () => void) {
  const client = useQueryClient()
  const [edit, setEdit] = useState<CellEdit>({ phase: 'editing', text: textOf(shown), problem: null, theirs: undefined })
  const [version, setVersion] = useState(row.version)
  const [seen, setSeen] = useState(shown)
  const patch = (next: Partial<CellEdit>) => setEdit((current) => ({ ...current, ...next }))
  /** The record has changed: another value of it does not matter, but nobody overwrites this one without having seen it. */
  const saveOverNewer = async (value: PropertyValue) => {
    const record = await client.query({ ...queries.property(row.id), staleTime: 0 })
    const theirs = record.values[name] ?? null
    setVersion(record.version)
    if (textOf(theirs) === textOf(seen)) return saveValue(client, record, name, value).then(onDone)
    setSeen(theirs)
    return patch({ phase: 'editing', theirs })
  }
  const refused = (error: unknown) => {
    if (isApiError(error) && error.kind === 'invalid') {
      return patch({ phase: 'editing', problem: firstMessages(error)[name] ?? messageOf(error) })
    }
    patch({ phase: 'editing' })
    return toast.alert(messageOf(error))
  }
  const save = async (text: string) => {
    if (edit.phase === 'saving') return
    const typed = readTyped(name, text)
    if ('problem' in typed) return patch({ text, problem: typed.problem })
    if (textOf(typed.value) === textOf(shown) && edit.theirs === undefined) return onDone()
    patch({ text, phase: 'saving', problem: null, theirs: undefined })
    try {
      await saveValue(client, { id: row.id, version }, name, typed.value).then(onDone)
    } catch (error) {
      const isStale = isApiError(error) && error.kind === 'conflict'
      if (isStale) await saveOverNewer(typed.value).catch(refused)
      else refused(error)
    }
  }
  const takeTheirs = () => {
    onDone()
    invalidateAfterWrite('account_properties', row.id)
  }
  return { edit, save, takeTheirs, type: (text: string) => patch({ text, problem: null }) }
}
