import { inspect, parseArgs } from 'node:util'
import { SYSTEM } from './access/viewer.ts'
import { openServices } from './app.ts'
import { JOB_LIMITS } from './db/client.ts'
import type { Context } from './engines/context.ts'
import { transact } from './engines/transaction/transact.ts'
import { SCENARIOS, isScenario, runScenario } from './features/setup/demo/scenarios.ts'
import { demoSignIns, newPassword } from './features/setup/demo/sign-ins.ts'
import { ensureRoles } from './features/setup/ensure-roles.ts'
import { hasUsers } from './features/setup/prepare.ts'
import { seedScale } from './features/setup/scale/scale.ts'
import { loadConfig } from './kernel/config.ts'
import { createLog } from './kernel/log.ts'

const USAGE = `npm run seed -- <scenario>   one of ${Object.keys(SCENARIOS).join(', ')}
npm run seed -- scale --accounts N --properties N [--companies 200] [--users-per-company 10] [--files 0]

Fills an empty database, or with --into-existing also a database in use.
`

const print = (line: string) => process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    'into-existing': { type: 'boolean', default: false },
    accounts: { type: 'string', default: '1000' },
    properties: { type: 'string', default: '25000' },
    companies: { type: 'string', default: '200' },
    'users-per-company': { type: 'string', default: '10' },
    files: { type: 'string', default: '0' },
  },
})

function count(name: Exclude<keyof typeof values, 'into-existing' | 'help'>, min: number): number {
  const number = Number(values[name])
  if (!Number.isInteger(number) || number < min) throw new Error(`--${name} must be a whole number of at least ${min}.`)
  return number
}

async function seed(ctx: Context, name: string): Promise<void> {
  await transact(ctx, ensureRoles)
  const inUse = await hasUsers(ctx)
  if (inUse && !values['into-existing'])
    throw new Error('This database is in use. Nothing was changed. Add --into-existing to fill it anyway.')
  if (isScenario(name)) {
    await runScenario(ctx, SCENARIOS[name], async () => false)
    for (const line of await demoSignIns(ctx)) print(line)
    return
  }
  const { password, passwordHash } = await newPassword(ctx)
  const sizes = {
    companies: count('companies', 1),
    usersPerCompany: count('users-per-company', 1),
    accounts: count('accounts', 1),
    properties: count('properties', 0),
    files: count('files', 0),
  }
  await seedScale(ctx, { ...sizes, passwordHash, exclusive: !inUse }, print)
  print(`Sign in as user1@scale.example with ${password ?? 'the password of ADMIN_PASSWORD'}`)
}

async function run(name: string): Promise<void> {
  const { services, stop } = await openServices({ config: loadConfig(), log: createLog({ level: 'warn' }), asOwner: true })
  try {
    await seed({ ...services, limits: JOB_LIMITS, viewer: SYSTEM }, name)
  } finally {
    await stop()
  }
}

const [name = ''] = positionals
if (values.help) print(USAGE)
else if (name === 'scale' || isScenario(name)) {
  await run(name).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : inspect(error)}\n`)
    process.exitCode = 1
  })
} else {
  process.stderr.write(USAGE)
  process.exitCode = 2
}
