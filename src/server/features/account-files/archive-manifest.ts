import type { Context } from '#server/engines/context.ts'
import { manifestOf } from '#server/engines/packages/package-properties.ts'
import type { Package } from '#server/engines/packages/packages.ts'
import { sha256 } from '#server/engines/packages/package-digest.ts'
import type { PlacedFile } from './archive-layout.ts'
import type { FileContent } from './files.queries.ts'

/** What an archive says about itself. */
export interface PackageFacts extends Package {
  account: string
  /** The name of the user who requested it. */
  madeBy: string
}

export const NOT_READABLE = 'The stored file is missing or does not have its registered size.'

interface Listed {
  placed: readonly PlacedFile[]
  generated: readonly { name: string; size: number; sha256: string }[]
  skipped: readonly FileContent[]
}

/** Every file of the archive except the manifest itself, which it cannot contain a checksum of. */
export function manifest(ctx: Context, made: PackageFacts, { placed, generated, skipped }: Listed): Buffer {
  const content = manifestOf(ctx, made, {
    account: made.account,
    made_by: made.madeBy,
    documents: placed.map(describedAt),
    generated: generated.map(({ name, size, sha256: sum }) => ({ path: name, size, sha256: sum })),
    skipped: skipped.map((file) => ({ ...described(file), reason: NOT_READABLE })),
  })
  return Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
}

export const describedAt = ({ path, file }: PlacedFile) => ({ path, ...described(file) })

/** `sha256` is null for a document whose bytes were never read. */
export const described = (file: FileContent) => ({
  original_name: file.original_file_name,
  descriptive_name: file.vanity_name,
  properties: propertyNames(file),
  size: file.size,
  sha256: file.sha256,
})

/** `12 1 Main St Austin` for each property. */
export const propertyNames = ({ properties }: FileContent): string[] =>
  properties.map(({ location_number, address, city }) => [location_number, address, city].filter(Boolean).join(' '))

/** Equal for archives with the same documents under the same names, and the same list of properties. */
export const contentOf = (placed: readonly PlacedFile[], skipped: readonly FileContent[], properties: string): string =>
  sha256(JSON.stringify([properties, placed.map(({ path, file }) => [path, file.sha256]), skipped.map(({ id }) => id)]))
