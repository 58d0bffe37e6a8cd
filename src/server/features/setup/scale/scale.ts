import { sql } from 'kysely'
import { MODELS } from '#contract/permissions.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { addCompany } from '../demo/people.ts'
import { addAccounts, addFiles, addUsers } from './scale-accounts.ts'
import { addProperties } from './scale-properties.ts'
import { layWords } from './scale-words.ts'
import { withoutIndexes } from './without-indexes.ts'

export interface ScaleOptions {
  companies: number
  usersPerCompany: number
  accounts: number
  properties: number
  /** Rows of the document list; there are no bytes behind them. */
  files: number
  passwordHash: string
  /** Whether nobody works with the database yet, so that its indexes may be built anew. */
  alone: boolean
}

const TABLES = ['account_properties', 'account_files', 'search_entries', 'accounts']
/** Volume for measuring: companies, people, accounts, properties and documents by number, the same for the same numbers. */
export async function seedScale(ctx: Context, options: ScaleOptions, tell: (line: string) => void): Promise<void> {
  await transact(ctx, async (tx) => {
    await layWords(tx)
    await addCompanies(tx, options.companies)
    await addUsers(tx, options)
    tell(`${options.companies} companies with ${options.usersPerCompany} people each`)
    const work = async () => {
      await addAccounts(tx, options.accounts)
      tell(`${options.accounts} accounts`)
      await addProperties(tx, options.accounts, options.properties, tell)
      await addFiles(tx, options.accounts, options.files)
    }
    await (options.alone ? withoutIndexes(tx, TABLES, work) : work())
    for (const model of MODELS) emit(tx, { model, id: null, everywhere: true })
  })
  tell('Indexes built; collecting statistics')
  await sql`VACUUM (ANALYZE) accounts, account_totals, account_access, principal_totals, account_properties, account_files, search_entries, users`.execute(
    ctx.db,
  )
}

/** Through the ordinary command, which gives each its statuses. */
async function addCompanies(tx: WriteContext, count: number): Promise<void> {
  await sql`CREATE TEMPORARY TABLE scale_companies (n int, id uuid) ON COMMIT DROP`.execute(tx.db)
  const { rows: names } = await sql<{ name: string }>`SELECT 'Brokerage ' || (g + 1) || ', ' || n.name AS name
    FROM generate_series(0, ${count}::int - 1) g JOIN scale_names n ON n.n = (g * 7) % (SELECT count(*) FROM scale_names) ORDER BY g`.execute(
    tx.db,
  )
  for (const [n, { name }] of names.entries()) {
    const id = await addCompany(tx, name, 'Professional')
    await sql`INSERT INTO scale_companies VALUES (${n}, ${id})`.execute(tx.db)
  }
}
