import { join } from 'node:path'
import pg from 'pg'
import { sessionCalls } from '#contract/session.ts'
import { migrationsHash } from '#server/db/migrate.ts'
import { clientOf, type Client } from '../e2e/support/client.ts'
import { E2E_ADMIN } from '../e2e/support/people.ts'
import { databaseUrl } from '../e2e/support/processes.ts'
import { dataFolder } from './data-folders.ts'
import { productEnvironment, ROOT, runProgram, startBareServer, startProduct, type Started } from './processes.ts'

export interface Scale {
  companies: number
  accounts: number
  properties: number
  files?: number
}

/** A broker of the first company. All seeded users have the administrator's password. */
export const BROKER = { email: 'user1@scale.example', password: E2E_ADMIN.password }

/** A user that `openStage` makes an administrator. */
const ADMIN = { email: 'user2@scale.example', password: E2E_ADMIN.password }

/** The running product with seeded data and a signed-in broker. */
export interface Stage {
  product: Started
  dataDir: string
  databaseUrl: string
  database: pg.Pool
  broker: Client
  brokerToken: string
  /** Of the administrator, who sees all companies. */
  adminToken: string
  adminId: string
  brokerId: string
  companyId: string
  close(): Promise<void>
}

/** The data of this scale, created by `npm run seed -- scale`. The database of a build with other migrations can't be opened by this one. */
async function seededFolder({ companies, accounts, properties, files = 0 }: Scale): Promise<string> {
  const path = join(ROOT, '.cache/bench', [companies, accounts, properties, ...(files > 0 ? [files] : [])].join('-'))
  return dataFolder(path, await migrationsHash(), async () => {
    process.stderr.write(`Seeding ${accounts} accounts and ${properties} properties …\n`)
    const begun = Date.now()
    const counts = [`--companies=${companies}`, `--accounts=${accounts}`, `--properties=${properties}`, `--files=${files}`]
    await runProgram(process.execPath, ['src/server/seed.ts', 'scale', ...counts], { cwd: ROOT, env: productEnvironment(path) })
    process.stderr.write(`… took ${Math.round((Date.now() - begun) / 1_000)} s\n`)
  })
}

/** Starts the product on seeded data and signs in a broker of its first company. */
export async function openStage(scale: Scale): Promise<Stage> {
  const dataDir = await seededFolder(scale)
  const product = await startProduct({ dataDir })
  const url = databaseUrl(dataDir)
  const database = new pg.Pool({ connectionString: url, max: 4 })
  await database.query('VACUUM (ANALYZE)')
  const { token } = await clientOf(product.address)(sessionCalls.login, { body: BROKER })
  await database.query(
    `INSERT INTO user_roles (user_id, role_id) SELECT u.id, r.id FROM users u, roles r
     WHERE u.email = $1 AND r.name = 'admin' AND r.company_id IS NULL ON CONFLICT DO NOTHING`,
    [ADMIN.email],
  )
  const admin = await clientOf(product.address)(sessionCalls.login, { body: ADMIN })
  const userOf = async (email: string) =>
    (await database.query<{ id: string; company_id: string }>('SELECT id, company_id FROM users WHERE email = $1', [email])).rows[0]
  const [brokerUser, adminUser] = [await userOf(BROKER.email), await userOf(ADMIN.email)]
  return {
    product,
    dataDir,
    databaseUrl: url,
    database,
    broker: clientOf(product.address, token),
    brokerToken: token,
    brokerId: brokerUser?.id ?? '',
    companyId: brokerUser?.company_id ?? '',
    adminToken: admin.token,
    adminId: adminUser?.id ?? '',
    close: async () => {
      await database.end()
      await product.stop()
    },
  }
}

/** The bare server on the same database. */
export const openBareServer = (stage: Stage): Promise<Started> => startBareServer(stage.databaseUrl)

/** How much is measured. `small` is only for testing the benchmarks; its figures have no meaning. */
export interface Effort {
  rounds: number
  /** Duration of one side of one round under load. */
  seconds: number
  lists: Scale
  search: Scale
  fullText: Scale
  growth: readonly [small: Scale, large: Scale]
  archive: { files: number; bytes: number; rounds: number }
  exports: { properties: number; documents: number; rounds: number }
  importRounds: number
}

const COMPANIES = 200
const ACCOUNTS = 20_000
const GB = 1024 ** 3

const sized = (properties: number, accounts = ACCOUNTS, companies = COMPANIES): Scale => ({ companies, accounts, properties })

export const EFFORTS: Record<'full' | 'small', Effort> = {
  full: {
    rounds: 7,
    seconds: 2,
    lists: sized(500_000),
    search: { ...sized(500_000), files: 100_000 },
    fullText: { ...sized(20_000, 2_000, 20), files: 20_000 },
    growth: [sized(10_000), sized(1_000_000)],
    archive: { files: 2_000, bytes: 2 * GB, rounds: 7 },
    exports: { properties: 50_000, documents: 5_000, rounds: 7 },
    importRounds: 3,
  },
  small: {
    rounds: 3,
    seconds: 1,
    lists: sized(20_000, 2_000, 20),
    search: { ...sized(20_000, 2_000, 20), files: 4_000 },
    fullText: { ...sized(20_000, 2_000, 20), files: 20_000 },
    growth: [sized(1_000, 2_000, 20), sized(20_000, 2_000, 20)],
    archive: { files: 100, bytes: GB / 10, rounds: 1 },
    exports: { properties: 50_000, documents: 5_000, rounds: 1 },
    importRounds: 1,
  },
}
