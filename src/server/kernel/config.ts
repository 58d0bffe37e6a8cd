import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { PASSWORD_MIN_CHARACTERS } from '#contract/limits.ts'
import { errorCode } from './errors.ts'

const SECRET_MIN_CHARACTERS = 32

const url = (pattern: RegExp, example: string) => z.string().regex(pattern, `must look like ${example}`)
const webUrl = url(/^https?:\/\/[^/\s]+/, 'https://example.com')

const wholeNumber = (min: number, max: number) =>
  z.coerce.number('must be a number').int('must be a whole number').min(min, `must be ${min} or more`).max(max, `must be ${max} or less`)

/** The number of proxies in front of this process, or their addresses. Never "all": then any client could claim any address. */
const proxies = z.union([
  z.string().regex(/^\d+$/).transform(Number),
  z.string().regex(/^[0-9a-fA-F.:/,\s]+$/, 'must be a number of proxies or a list of their addresses'),
])

/** Who can open a page for operators: programs on the same machine, all, or none. */
const audience = z.enum(['local', 'on', 'off'], 'must be local, on or off').default('local')

/** Names or addresses of hosts, without ports. */
const hosts = z
  .string()
  .regex(/^[\w.:, -]+$/, 'must be hosts, separated by commas')
  .transform((list) => list.toLowerCase().split(/[\s,]+/))

/** All variables with their defaults, in the order of .env.example. */
export const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  APP_URL: webUrl.optional(),
  TRUST_PROXY: proxies.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(/^postgres(ql)?:\/\/\S+$/, 'postgres://user:password@host:5432/database').optional(),
  DATABASE_OWNER_URL: url(/^postgres(ql)?:\/\/\S+$/, 'postgres://owner:password@host:5432/database').optional(),
  DATABASE_CONNECTIONS: wholeNumber(4, 500).default(20),
  STORAGE_URL: url(/^s3:\/\/\S+$/, 's3://key:secret@host/bucket?region=us-east-1').optional(),
  MAIL_URL: url(/^smtps?:\/\/\S+$/, 'smtp://user:password@host:587').optional(),
  MAIL_FROM: z.string().regex(/@/, 'must be a mail address').optional(),
  SECRET_KEY: z.string().min(SECRET_MIN_CHARACTERS, `must have at least ${SECRET_MIN_CHARACTERS} characters`).optional(),
  SSO_PRIVATE_HOSTS: hosts.default([]),
  WORKER: z.stringbool('must be on or off').default(true),
  ADMIN_EMAIL: z.email('must be a mail address').optional(),
  ADMIN_PASSWORD: z.string().min(PASSWORD_MIN_CHARACTERS, `must have at least ${PASSWORD_MIN_CHARACTERS} characters`).optional(),
  SEED: z.enum(['demo', 'none'], 'must be demo or none').optional(),
  METRICS: audience,
  API_DOCS: audience,
  PRODUCT_NAME: z.string().default('Plumbline'),
  PROVIDER_NAME: z.string().default('the provider'),
  SUPPORT_EMAIL: z.email('must be a mail address').optional(),
  SUPPORT_PHONE: z.string().optional(),
  CHAT_URL: webUrl.optional(),
  LEARN_MORE_URL: webUrl.optional(),
  TILE_URL: webUrl.optional(),
  MAP_STYLE_URL: webUrl.optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be one of fatal, error, warn, info, debug, trace, silent')
    .default('info'),
  NODE_ENV: z.enum(['production', 'development', 'test'], 'must be production, development or test').default('production'),
})

export type Config = ReturnType<typeof loadConfig>

/** Reads the environment, then .env; an empty variable counts as unset. Throws one error that names every invalid variable. */
export function loadConfig(env: Record<string, string | undefined> = processEnvironment()) {
  const vars = readEnvironment(env)
  const embedded = vars.DATABASE_URL === undefined
  const dataDir = resolve(vars.DATA_DIR)
  const appUrl = (vars.APP_URL ?? `http://localhost:${vars.PORT}`).replace(/\/+$/, '')
  return {
    port: vars.PORT,
    host: vars.HOST,
    appUrl,
    trustProxy: vars.TRUST_PROXY ?? false,
    dataDir,
    /** Absent: the embedded database under dataDir. */
    databaseUrl: vars.DATABASE_URL,
    /** For migrations; absent if databaseUrl is used for them, too. */
    databaseOwnerUrl: vars.DATABASE_OWNER_URL,
    databaseConnections: vars.DATABASE_CONNECTIONS,
    /** Absent: documents on disk under dataDir. */
    storageUrl: vars.STORAGE_URL,
    /** Absent: messages as files in dataDir/outbox. */
    mailUrl: vars.MAIL_URL,
    mailFrom: vars.MAIL_FROM ?? `${vars.PRODUCT_NAME} <no-reply@${new URL(appUrl).hostname}>`,
    secretKey: vars.SECRET_KEY ?? storedSecret(dataDir),
    /** Hosts of sign-in services on a private network; all others must have a public address. */
    ssoPrivateHosts: vars.SSO_PRIVATE_HOSTS,
    /** Whether this process also runs jobs. */
    worker: vars.WORKER,
    admin: { email: vars.ADMIN_EMAIL, password: vars.ADMIN_PASSWORD },
    seed: vars.SEED ?? (embedded ? ('demo' as const) : ('none' as const)),
    /** Who can read /metrics and /api/docs. */
    audience: { metrics: vars.METRICS, docs: vars.API_DOCS },
    product: {
      name: vars.PRODUCT_NAME,
      provider: vars.PROVIDER_NAME,
      supportEmail: vars.SUPPORT_EMAIL,
      supportPhone: vars.SUPPORT_PHONE,
      chatUrl: vars.CHAT_URL,
      learnMoreUrl: vars.LEARN_MORE_URL,
      tileUrl: vars.TILE_URL,
      mapStyleUrl: vars.MAP_STYLE_URL,
    },
    logLevel: vars.LOG_LEVEL,
    mode: vars.NODE_ENV,
  }
}

/** Settings of Node and of the machine. All others can be secrets. */
const CHILD_VARIABLES = ['NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'TMPDIR', 'TEMP', 'SystemRoot', 'TZ', 'LANG', 'LC_ALL']

/** The environment of processes that read files of strangers, without the configuration and its secrets. */
export const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(CHILD_VARIABLES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))

function processEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

/** The secret that signs links and codes: created once in DATA_DIR/secret, readable by its owner only. */
function storedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      // A full disk leaves an empty file, which would be read as the secret at the next start.
      rmSync(file, { force: true })
      throw error
    }
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < SECRET_MIN_CHARACTERS) throw new Error(`${file} does not contain a secret. Restore it from a backup, or delete it.`)
  return secret
}

function readEnvironment(env: Record<string, string | undefined>): z.output<typeof Environment> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const read = Environment.safeParse(set)
  const problems = read.success ? missingVariables(read.data) : read.error.issues.map(problemOf)
  if (read.success && problems.length === 0) return read.data
  throw new Error(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** For a union, the innermost message is the one that says what is expected. */
function problemOf(issue: z.core.$ZodIssue): string {
  const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0]?.message : undefined
  return `${issue.path.join('.')} ${inner ?? issue.message}`
}

/** The second variable is required with the first. */
const REQUIRED_WITH = [
  ['DATABASE_URL', 'SECRET_KEY', ', and be the same for all processes'],
  ['DATABASE_OWNER_URL', 'DATABASE_URL', ''],
  ['ADMIN_PASSWORD', 'ADMIN_EMAIL', ''],
] as const

const missingVariables = (vars: z.output<typeof Environment>): string[] =>
  REQUIRED_WITH.flatMap(([given, required, hint]) =>
    vars[given] !== undefined && vars[required] === undefined ? [`${required} must be set together with ${given}${hint}`] : [],
  )
