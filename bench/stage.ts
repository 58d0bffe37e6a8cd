import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { sessionCalls } from '#contract/session.ts'
import { clientOf, type Client } from '../e2e/support/client.ts'
import { E2E_ADMIN } from '../e2e/support/people.ts'
import { databaseUrl } from '../e2e/support/processes.ts'
import { productEnvironment, ROOT, runProgram, startFloor, startProduct, type Started } from './processes.ts'

export interface Scale {
  companies: number
  accounts: number
  properties: number
}

/** A broker of the first company: the seed gives everybody the administrator's password. */
export const BROKER = { email: 'user1@scale.example', password: E2E_ADMIN.password }

/** The product running over seeded data, with a broker signed in. */
export interface Stage {
  product: Started
  dataDir: string
  databaseUrl: string
  database: pg.Pool
  broker: Client
  brokerToken: string
  brokerId: string
  companyId: string
  close(): Promise<void>
}

/** A data folder with so much in it; made once by `npm run seed -- scale`, and kept below .cache for later runs. */
async function dataFolder({ companies, accounts, properties }: Scale): Promise<string> {
  const dataDir = join(ROOT, '.cache/bench', `${companies}-${accounts}-${properties}`)
  const made = join(dataDir, 'seeded')
  if (existsSync(made)) return dataDir
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o755)
  process.stderr.write(`Seeding ${accounts} accounts and ${properties} properties …\n`)
  const begun = Date.now()
  const counts = [`--companies=${companies}`, `--accounts=${accounts}`, `--properties=${properties}`]
  await runProgram(process.execPath, ['src/server/seed.ts', 'scale', ...counts], { cwd: ROOT, env: productEnvironment(dataDir) })
  process.stderr.write(`… took ${Math.round((Date.now() - begun) / 1_000)} s\n`)
  writeFileSync(made, '')
  return dataDir
}

/** Starts the product on seeded data and signs in a broker of its first company. */
export async function openStage(scale: Scale): Promise<Stage> {
  const dataDir = await dataFolder(scale)
  const product = await startProduct({ dataDir })
  const url = databaseUrl(dataDir)
  const database = new pg.Pool({ connectionString: url, max: 4 })
  await database.query('VACUUM (ANALYZE)')
  const { token } = await clientOf(product.address)(sessionCalls.login, { body: BROKER })
  const { rows } = await database.query<{ id: string; company_id: string }>('SELECT id, company_id FROM users WHERE email = $1', [
    BROKER.email,
  ])
  return {
    product,
    dataDir,
    databaseUrl: url,
    database,
    broker: clientOf(product.address, token),
    brokerToken: token,
    brokerId: rows[0]?.id ?? '',
    companyId: rows[0]?.company_id ?? '',
    close: async () => {
      await database.end()
      await product.stop()
    },
  }
}

/** The yardstick over the same database. */
export const openFloor = (stage: Stage): Promise<Started> => startFloor(stage.databaseUrl)
