import { visibleProperties } from '#server/access/account-properties.ts'
import type { Context } from '#server/engines/context.ts'
import { safePart, uniqueNames } from './file-names.ts'
import type { LinkedProperty } from './files.queries.ts'

export type FolderProperty = Pick<
  LinkedProperty,
  'id' | 'location_number' | 'building_number' | 'property_name' | 'address' | 'city' | 'state'
>

/**
 * The active properties of the account that the viewer sees. The names of folders depend on all of them, so that a property has the same
 * folder in every archive of the same register.
 */
export const folderProperties = (ctx: Context, accountId: string): Promise<FolderProperty[]> =>
  ctx.db
    .selectFrom('account_properties')
    .select(['id', 'location_number', 'building_number', 'property_name', 'address', 'city', 'state'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .where(visibleProperties(ctx.viewer))
    .execute()

/** A unique name for every property, by id. Of properties with the same name, the one that was added first has it without ` (2)`. */
export function propertyFolders(properties: readonly FolderProperty[]): Map<string, string> {
  const give = uniqueNames()
  const inOrderOfCreation = properties.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return new Map(inOrderOfCreation.map((property) => [property.id, give((number) => folderName(property, number))]))
}

/** `{number} - {name or street}, {city} {state}`, of which a long name is cut. */
function folderName(property: FolderProperty, number: string): string {
  const place = [property.city, property.state].filter(Boolean).join(' ')
  const name = property.property_name ?? property.address
  return safePart(`${numberOf(property)} - ${name}`, { ending: (name && place ? `, ${place}` : place) + number })
}

/** The location has three digits; building 1 is left out. */
function numberOf({ location_number: location, building_number: building }: FolderProperty): string {
  // Any number in its place could be that of another location.
  if (!location) return building === '1' ? 'No number' : `No number, building ${building}`
  const padded = /^\d+$/.test(location) ? location.padStart(3, '0') : location
  return building === '1' ? padded : `${padded}-${building}`
}
