import { sql, type Expression, type SqlBool } from 'kysely'
import { visibleFiles } from '#server/access/account-files.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'

export interface FileRecord {
  id: string
  account_id: string
  storage_key: string
  original_file_name: string
  content_type: string
  size: number
  crc32: number | null
  vanity_name: string | null
  category: string
  private: boolean
  sov: boolean
  provided_by_broker: boolean
  covers_all_properties: boolean
  report_author_date: string | null
  version: number
  created_by: string | null
  creator_name: string | null
  creator_email: string | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  properties: {
    id: string
    address: string
    address_2: string | null
    city: string
    state: string | null
    postal_code: string | null
    country: string
  }[]
}

const select = sql`SELECT account_files.*, u.full_name AS creator_name, u.email::text AS creator_email,
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'address', p.address, 'address_2', p.address_2, 'city', p.city,
        'state', p.state, 'postal_code', p.postal_code, 'country', p.country) ORDER BY p.location_number, p.address)
      FROM account_file_properties l JOIN account_properties p ON p.id = l.property_id AND p.deleted_at IS NULL
      WHERE l.file_id = account_files.id), '[]') AS properties
  FROM account_files LEFT JOIN users u ON u.id = account_files.created_by`

export async function loadFiles({ db }: Context, where: Expression<SqlBool>): Promise<FileRecord[]> {
  const { rows } = await sql<FileRecord>`${select} WHERE ${where}`.execute(db)
  return rows
}

/** One live document of the account that the viewer sees, or `notFound`. */
export async function findFile(ctx: Context, accountId: string, id: string): Promise<FileRecord> {
  const [record] = await loadFiles(
    ctx,
    sql<SqlBool>`account_files.id = ${id} AND account_files.account_id = ${accountId} AND account_files.deleted_at IS NULL
      AND ${visibleFiles(ctx.viewer)}`,
  )
  if (record === undefined) throw notFound('Document')
  return record
}

export const displayName = (file: Pick<FileRecord, 'vanity_name' | 'original_file_name'>): string =>
  file.vanity_name ?? file.original_file_name
