import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { propertyCalls, propertyFieldSchema } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { queries, type ListAnswer } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { issueMessage } from '#web/engines/form/form-values.ts'
import { toast } from '#web/ui/toast.tsx'
import { formatCell, type PropertyValue } from './property-labels.ts'

interface CellEdit {
  saving: boolean
  /** As typed. */
  text: string
  problem: string | null
  /** What another user saved meanwhile. */
  theirs: PropertyValue | undefined
}

/** The typed text as a value of the field, or a message about what is wrong with it. */
export function parseInput(name: PropertyFieldName, text: string): { value: PropertyValue } | { problem: string } {
  const field = propertyField(name)
  const plain = field.kind === 'money' || field.kind === 'area' || field.kind === 'integer' ? text.replaceAll(/[$,\s]/g, '') : text.trim()
  const checked = propertyFieldSchema(field).safeParse(plain)
  const issue = checked.error?.issues[0]
  if (issue !== undefined) return { problem: issueMessage(issue) }
  return { value: checked.data as PropertyValue } // every kind of field contains a text, a number or null
}

/** Saves one value of the given version and shows it in every list at once. Throws a conflict if the property has changed since. */
async function saveValue(
  client: QueryClient,
  { id, version }: { id: string; version: number },
  name: PropertyFieldName,
  input: PropertyValue,
) {
  const { data } = await api(propertyCalls.update, { params: { id }, body: { version, [name]: input } })
  const value = data.values[name] ?? null
  const saved = { version: data.version, [name]: { value, text: formatCell(name, value) } }
  client.setQueryData(queries.property(id).queryKey, data)
  client.setQueriesData<ListAnswer<'account_properties'>>(
    { queryKey: ['index', 'account_properties'] },
    (page) => page && { ...page, data: page.data.map((row) => (row.id === id ? { ...row, ...saved } : row)) },
  )
  invalidateAfterWrite('account_properties', id, data.account_id)
}

const textOf = (value: PropertyValue | undefined) => (value === null || value === undefined ? '' : String(value))

/** The edit of one cell, while its input is mounted. `shown` is the value that the edit started from. */
export function useCellEdit(row: { id: string; version: number }, name: PropertyFieldName, shown: PropertyValue, onDone: () => void) {
  const client = useQueryClient()
  const [edit, setEdit] = useState<CellEdit>({ saving: false, text: textOf(shown), problem: null, theirs: undefined })
  const [version, setVersion] = useState(row.version)
  const [seen, setSeen] = useState(shown)
  const patch = (next: Partial<CellEdit>) => setEdit((current) => ({ ...current, ...next }))
  /** If another value of the property was changed, saves over it. If this value was changed, the user has to see it first. */
  const saveOverNewer = async (value: PropertyValue) => {
    const record = await client.query({ ...queries.property(row.id), staleTime: 0 })
    const theirs = record.values[name] ?? null
    setVersion(record.version)
    if (textOf(theirs) === textOf(seen)) return saveValue(client, record, name, value).then(onDone)
    setSeen(theirs)
    return patch({ saving: false, theirs })
  }
  const onRejected = (error: unknown) => {
    const isInvalid = isApiError(error) && error.kind === 'invalid'
    patch({ saving: false, ...(isInvalid ? { problem: firstMessages(error)[name] ?? messageOf(error) } : {}) })
    if (!isInvalid) toast.alert(messageOf(error))
  }
  const save = async (text: string) => {
    if (edit.saving) return
    const parsed = parseInput(name, text)
    if ('problem' in parsed) return patch({ text, problem: parsed.problem })
    if (textOf(parsed.value) === textOf(shown) && edit.theirs === undefined) return onDone()
    patch({ text, saving: true, problem: null, theirs: undefined })
    try {
      await saveValue(client, { id: row.id, version }, name, parsed.value).then(onDone)
    } catch (error) {
      if (isApiError(error) && error.kind === 'conflict') await saveOverNewer(parsed.value).catch(onRejected)
      else onRejected(error)
    }
  }
  const takeTheirs = () => {
    onDone()
    invalidateAfterWrite('account_properties', row.id)
  }
  return { edit, save, takeTheirs, type: (text: string) => patch({ text, problem: null }) }
}
