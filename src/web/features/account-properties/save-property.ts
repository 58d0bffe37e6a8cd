import type { QueryClient } from '@tanstack/react-query'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import { api } from '#web/data/client.ts'
import { queries, type ListAnswer } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { cellWords } from './cell-words.ts'
import type { PropertyValue } from './property-words.ts'

/** Shows the saved value in every list at once; the server's own words follow with the refresh. */
function showSaved(client: QueryClient, property: Property, name: PropertyFieldName): void {
  const value = property.values[name] ?? null
  client.setQueriesData<ListAnswer<'account_properties'>>(
    { queryKey: ['index', 'account_properties'] },
    (page) =>
      page && {
        ...page,
        data: page.data.map((row) =>
          row.id === property.id ? { ...row, version: property.version, [name]: { value, text: cellWords(name, value) } } : row,
        ),
      },
  )
}

/** Saves one value of a property as it was read with `version`. Throws an ApiError, of kind conflict when it has changed since. */
export async function saveValue(
  client: QueryClient,
  property: { id: string; version: number },
  name: PropertyFieldName,
  value: PropertyValue,
): Promise<void> {
  const { data } = await api(propertyCalls.update, { params: { id: property.id }, body: { version: property.version, [name]: value } })
  client.setQueryData(queries.property(property.id).queryKey, data)
  showSaved(client, data, name)
  invalidateAfterWrite('account_properties', property.id, data.account_id)
}
