import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import type { ImportRecord } from '#server/features/imports/import-record.ts'
import { fullAddressSql } from '#server/features/imports/places.queries.ts'

const SHOWN = 20

/** Properties that were written since the preview, with the fields whose value is not what the preview said it was. */
export async function movedSince(tx: WriteContext, record: ImportRecord): Promise<{ full_address: string; fields: string[] }[]> {
  const since = record.counts.validatedAt ?? record.created_at.toISOString()
  const { rows } = await sql<{ full_address: string; fields: string[] }>`
    SELECT ${fullAddressSql} AS full_address, coalesce((
        SELECT array_agg(c.key ORDER BY c.key) FROM import_rows r CROSS JOIN LATERAL jsonb_each(r.changes) AS c
          WHERE r.import_id = ${record.id} AND r.property_id = p.id AND c.key NOT LIKE 'custom.%' AND c.value->0 IS DISTINCT FROM to_jsonb(p)->c.key
      ), '{}') AS fields
      FROM account_properties p
      WHERE p.account_id = ${record.account_id} AND (p.updated_at > ${since} OR p.deleted_at > ${since})
      ORDER BY p.updated_at DESC LIMIT ${SHOWN}`.execute(tx.db)
  return rows
}
