import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { accountCalls } from '#contract/accounts.ts'
import { addDocument } from '../e2e/support/uploads.ts'
import type { Stage } from './stage.ts'

const UPLOADS_AT_ONCE = 4

/** An account with this number of documents and total bytes, uploaded through the product. Created once and reused with the stage. */
export async function accountWithFiles(stage: Stage, { files, bytes }: { files: number; bytes: number }): Promise<string> {
  const name = `Bench archive ${files} ${bytes}`
  const { rows } = await stage.database.query<{ id: string; files: number }>(
    `SELECT id, files_disclosed + files_sov AS files FROM accounts JOIN account_totals ON account_id = id WHERE name = $1 AND company_id = $2`,
    [name, stage.companyId],
  )
  if ((rows[0]?.files ?? 0) >= files) return rows[0]?.id ?? ''
  process.stderr.write(`Uploading ${files} documents …\n`)
  const id = rows[0]?.id ?? (await stage.broker(accountCalls.create, { body: { name, type: 'standard' } })).data.id
  const size = Math.floor(bytes / files)
  let next = rows[0]?.files ?? 0
  const upload = async () => {
    while (next < files) {
      next += 1
      const name = `document ${next}.dat`
      await addDocument(stage.broker, stage.product.address, {
        accountId: id,
        name,
        bytes: randomBytes(size),
        type: 'application/octet-stream',
      })
    }
  }
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload))
  return id
}

/** Paths of the documents in the store on disk. */
export async function filesOnDisk({ database, dataDir }: Stage, accountId: string): Promise<string[]> {
  const { rows } = await database.query<{ storage_key: string }>(
    'SELECT storage_key FROM account_files WHERE account_id = $1 AND deleted_at IS NULL',
    [accountId],
  )
  return rows.map(({ storage_key }) => join(dataDir, 'objects/data', `${storage_key}@object`))
}
