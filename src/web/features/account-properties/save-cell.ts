import type { QueryClient } from '@tanstack/react-query'
import { propertyCalls, propertyFieldSchema } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import type { PropertyEdit } from '#contract/property-history.ts'
import { formatPropertyValue, type PropertyValue } from '#contract/property-format.ts'
import { api } from '#web/data/client.ts'
import { changedBy, isApiError } from '#web/data/errors.ts'
import { queries, type ListAnswer } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { issueMessage } from '#web/engines/form/form-values.ts'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'
import { formatCell } from './property-labels.ts'

/** The typed text as a value of the field, or a message about what is wrong with it. */
export function parseInput(name: PropertyFieldName, text: string): { value: PropertyValue } | { problem: string } {
  const field = propertyField(name)
  const isAmount = field.kind === 'money' || field.kind === 'area' || field.kind === 'integer'
  // A comma that does not separate thousands can mean cents, so the schema rejects the text.
  const plain = isAmount ? text.replaceAll(/[$\s]|(?<=\d),(?=\d{3}(?!\d))/g, '') : text.trim()
  const checked = propertyFieldSchema(field, name).safeParse(plain)
  const issue = checked.error?.issues[0]
  if (issue !== undefined) return { problem: issueMessage(issue) }
  return { value: checked.data as PropertyValue } // every kind of field contains a text, a number or null
}

/** Saves one value of the given version and shows it in every list at once. Throws a conflict if the property has changed since. */
export async function saveValue(
  client: QueryClient,
  id: string,
  version: number,
  name: PropertyFieldName,
  input: PropertyValue,
  edit: PropertyEdit = 'list',
): Promise<number> {
  const { data } = await api(propertyCalls.update, { params: { id }, body: { version, edit, [name]: input } })
  const value = data.values[name] ?? null
  const saved = { version: data.version, [name]: { value, text: formatCell(name, value) } }
  client.setQueryData(queries.property(id).queryKey, data)
  client.setQueriesData<ListAnswer<'account_properties'>>(
    { queryKey: ['index', 'account_properties'] },
    (page) => page && { ...page, data: page.data.map((row) => (row.id === id ? { ...row, ...saved } : row)) },
  )
  invalidateAfterWrite('account_properties', id, data.account_id)
  return data.version
}

/** Confirms a saved value in a toast, which offers to restore the previous one. */
export function confirmEdit(
  client: QueryClient,
  id: string,
  version: number,
  name: PropertyFieldName,
  change: { from: string; to: PropertyValue; currency: string },
) {
  const before = parseInput(name, change.from)
  const text = (value: PropertyValue | string) => formatPropertyValue(name, value, change.currency) || 'empty'
  const undo = (value: PropertyValue) => {
    const done = () => toast.success(`${propertyField(name).label} is ${text(value)} again.`, { id: EDIT_TOAST })
    void saveValue(client, id, version, name, value, 'undo').then(done, (error: unknown) => {
      if (!isApiError(error) || error.kind !== 'conflict') return showError(error)
      toast.warning(`Not undone: ${changedBy(error)} has changed the property since.`)
      invalidateAfterWrite('account_properties', id)
    })
  }
  toast.success(`${propertyField(name).label} changed from ${text(change.from)} to ${text(change.to)}.`, {
    id: EDIT_TOAST,
    ...('value' in before ? { action: { label: 'Undo', onClick: () => undo(before.value) } } : {}),
  })
}

/** Each edit replaces the message of the one before. */
const EDIT_TOAST = 'property-edit'
