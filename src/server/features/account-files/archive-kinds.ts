import { sql, type SqlBool } from 'kysely'
import { ARCHIVE_NEEDS, type ArchiveSource } from '#contract/account-files.ts'
import { plural } from '#contract/format.ts'
import { can, type Viewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import type { ListRequest } from '../account-properties/property-list.commands.ts'
import { loadContents, visibleInAccount, type FileContent } from './files.queries.ts'

export interface ArchiveRequest {
  account_id: string
  source: ArchiveSource
  /** Of documents, or of properties for a list of them; null for all. */
  selected_ids: string[] | null
}

interface ArchiveKind {
  /** In the name of the file. */
  name: string
  extension: 'zip' | 'docx' | 'xlsx'
  contentType: string
  activity: (count: number) => string
}

const ZIP = { extension: 'zip', contentType: 'application/zip' } as const
const OFFICE = 'application/vnd.openxmlformats-officedocument'

export const ARCHIVE_KINDS: Readonly<Record<ArchiveSource, ArchiveKind>> = {
  downloadall: { ...ZIP, name: 'Organized Documents', activity: () => '{user} downloaded all documents' },
  fileselection: {
    ...ZIP,
    name: 'Organized Documents',
    activity: (count) => `{user} downloaded ${plural(count, 'document')}`,
  },
  'with-documents': {
    ...ZIP,
    name: 'Properties with Documents',
    activity: () => '{user} downloaded the properties with their documents',
  },
  'document-list': {
    name: 'Disclosed Document List',
    extension: 'docx',
    contentType: `${OFFICE}.wordprocessingml.document`,
    activity: () => '{user} generated the disclosed document list',
  },
  'property-list': {
    name: 'Property List',
    extension: 'xlsx',
    contentType: `${OFFICE}.spreadsheetml.sheet`,
    activity: () => '{user} downloaded the property list',
  },
}

export const canRequest = (viewer: Viewer, source: ArchiveSource): boolean => ARCHIVE_NEEDS[source].every((name) => can(viewer, name))

/** Lists are made when they are downloaded, of what the viewer sees then; archives when they are requested. */
export const isList = (source: ArchiveSource): boolean => ARCHIVE_KINDS[source].extension !== 'zip'

/** The documents of the request that the viewer sees. */
export async function requestedFiles(ctx: Context, { account_id, source, selected_ids }: ArchiveRequest): Promise<FileContent[]> {
  switch (source) {
    case 'property-list':
      return []
    case 'document-list':
      return loadContents(ctx, sql<SqlBool>`${visibleInAccount(ctx, account_id, selected_ids ?? 'all')} AND ${isDisclosed}`)
    case 'with-documents':
      return (await loadContents(ctx, visibleInAccount(ctx, account_id, 'all'))).flatMap((file) => linkedTo(file, selected_ids))
    case 'downloadall':
    case 'fileselection':
      return loadContents(ctx, visibleInAccount(ctx, account_id, selected_ids ?? 'all'))
  }
}

/** Condition: documents that the disclosed document list contains. */
export const isDisclosed = sql<SqlBool>`NOT (account_files.private OR account_files.sov OR account_files.provided_by_broker)`

/** The document with those of its properties that are active and requested, if there are any. */
function linkedTo(file: FileContent, ids: readonly string[] | null): FileContent[] {
  const properties = file.properties.filter(({ id, status }) => status === 'active' && (ids === null || ids.includes(id)))
  return file.sov || file.covers_all_properties || properties.length === 0 ? [] : [{ ...file, properties }]
}

export const listOf = ({ account_id, selected_ids }: ArchiveRequest): ListRequest => ({ accountId: account_id, ids: selected_ids })
