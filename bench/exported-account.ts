import type { Effort, Stage } from './stage.ts'

export interface ExportedAccount {
  id: string
  properties: number
  documents: number
}

const LINKS_PER_DOCUMENT = 3

/** Fills an account with copies of seeded properties, and with documents that are linked to some of them. No document has stored bytes. */
export async function accountForExports(stage: Stage, id: string, { properties, documents }: Effort['exports']): Promise<ExportedAccount> {
  const { rows } = await stage.database.query<{ names: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns WHERE table_name = 'account_properties'
       AND is_generated = 'NEVER' AND column_name NOT IN ('id', 'account_id', 'tiv', 'location_number', 'status', 'import_id')`,
  )
  const names = rows[0]?.names ?? ''
  process.stderr.write(`Adding ${properties} properties and ${documents} documents …\n`)
  await stage.database.query(
    `INSERT INTO account_properties (account_id, location_number, ${names})
     SELECT $1::uuid, n::text, ${names} FROM generate_series(1, $2::int) n
     JOIN (SELECT row_number() OVER () AS at, account_properties.* FROM account_properties WHERE status = 'active' AND deleted_at IS NULL
           LIMIT 1000) sample ON sample.at = n % 1000 + 1`,
    [id, properties],
  )
  await stage.database.query(
    `INSERT INTO account_files (account_id, storage_key, original_file_name, content_type, size, category, sov, private, created_by)
     SELECT $1::uuid, 'bench/' || $1::uuid || '/' || n, 'Appraisal report ' || n || '.pdf', 'application/pdf', 20000, 'appraisal', false, false, $3::uuid
     FROM generate_series(1, $2::int) n`,
    [id, documents, stage.brokerId],
  )
  await stage.database.query(
    `INSERT INTO account_file_properties (account_id, file_id, property_id)
     SELECT $1::uuid, f.id, p.id FROM (SELECT id, row_number() OVER () AS n FROM account_files WHERE account_id = $1::uuid) f
     CROSS JOIN generate_series(0, $2::int - 1) k
     JOIN (SELECT id, row_number() OVER () AS n FROM account_properties WHERE account_id = $1::uuid) p ON p.n = (f.n * 7 + k) % $3::int + 1`,
    [id, LINKS_PER_DOCUMENT, properties],
  )
  await stage.database.query('ANALYZE account_properties, account_files, account_file_properties')
  return { id, properties, documents }
}
