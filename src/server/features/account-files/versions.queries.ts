import { sql } from 'kysely'
import type { FileVersion } from '#contract/file-versions.ts'
import { seesBrokerage, seesUploaders, visibleFormerVersions } from '#server/access/account-files.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { FileRecord } from './files.queries.ts'

/** The documents that have or had these stored files, as SQL with the columns `storage_key` and `file_id`; a line for each file. */
export const storedFiles = (keys: readonly string[]) =>
  sql`(SELECT f.storage_key, f.id AS file_id FROM account_files f WHERE f.storage_key = ANY(${[...keys]}::text[])
    UNION SELECT v.storage_key, v.file_id FROM file_versions v WHERE v.storage_key = ANY(${[...keys]}::text[]))`

/** The ids of the documents that have or had one of these stored files, as SQL. */
export const filesWithKeys = (keys: readonly string[]) => sql`(SELECT stored.file_id FROM ${storedFiles(keys)} AS stored)`

/** The number of the current version, for viewers who see how often the document was replaced. */
export const shownNumber = (viewer: Viewer, { file_number: number }: { file_number: number }): number =>
  seesBrokerage(viewer) ? number : 1

/** The versions of a document that the viewer sees, newest first. One that was never replaced has one version. */
export async function versionsOf({ db, viewer }: Context, file: FileRecord): Promise<FileVersion[]> {
  const stored = await db
    .selectFrom('file_versions as v')
    .leftJoin('users as u', 'u.id', 'v.created_by')
    .select(['v.number', 'v.file_name', 'v.content_type', 'v.size', 'v.created_at', 'u.full_name', 'u.email'])
    .where('v.file_id', '=', file.id)
    .where((eb) => eb.or([eb('v.number', '=', file.file_number), visibleFormerVersions(viewer, 'v')]))
    .orderBy('v.number', 'desc')
    .execute()
  const first = {
    number: 1,
    file_name: file.original_file_name,
    content_type: file.content_type,
    size: file.size,
    created_at: file.created_at,
    full_name: file.creator_name,
    email: file.creator_email,
  }
  return (stored.length === 0 ? [first] : stored).map(({ content_type: type, created_at: at, full_name: name, email, ...version }) => ({
    ...version,
    // Who does not see how often a document was replaced does not see by which file either.
    ...(seesBrokerage(viewer) ? {} : { file_name: file.original_file_name }),
    number: version.number === file.file_number ? shownNumber(viewer, file) : version.number,
    type,
    is_current: version.number === file.file_number,
    created_at: at.toISOString(),
    created_by: name === null || !seesUploaders(viewer) ? null : { full_name: name, email: email ?? '' },
  }))
}

/** The document with the file of one of its versions, to be opened like the document itself. */
export async function withVersion({ db, viewer }: Context, file: FileRecord, number: number): Promise<FileRecord> {
  if (number === shownNumber(viewer, file)) return file
  const version = await db
    .selectFrom('file_versions')
    .select(['storage_key', 'content_type', 'size', 'file_name'])
    .where('file_id', '=', file.id)
    .where('number', '=', number)
    .where(visibleFormerVersions(viewer, 'file_versions'))
    .executeTakeFirst()
  if (version === undefined) throw notFound('Version')
  const { file_name, ...bytes } = version
  return { ...file, ...bytes, original_file_name: file_name, file_number: number }
}
