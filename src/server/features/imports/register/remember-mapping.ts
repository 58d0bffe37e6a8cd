import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import { normaliseHeader } from '#server/features/imports/headers/normalise-header.ts'
import type { ImportRecord } from '#server/features/imports/import-record.ts'

/** What was imported was confirmed: the same header means the same field the next time this company imports. */
export async function rememberMapping(tx: WriteContext, { account_id, columns, mapping, storage_key }: ImportRecord): Promise<void> {
  if (storage_key === null) return
  const seen = new Map(
    columns.flatMap(({ column, header }) => {
      const field = mapping[column]
      const { words } = normaliseHeader(header)
      return field === undefined || field === 'custom' || words === '' ? [] : [[words, field] as const]
    }),
  )
  const rows = [...seen].map(([header, field]) => ({ header, field }))
  await sql`INSERT INTO import_mappings (company_id, header, field)
    SELECT a.company_id, m.header, m.field FROM accounts a CROSS JOIN jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS m (header text, field text)
      WHERE a.id = ${account_id} ORDER BY m.header
    ON CONFLICT (company_id, header) DO UPDATE SET field = excluded.field, used_at = now()`.execute(tx.db)
}
