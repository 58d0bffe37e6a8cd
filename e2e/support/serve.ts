// The server of the browser tests, with a build of the web page and a new DATA_DIR that is removed at the end. Journeys make their own data.
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { E2E_ADMIN } from './people.ts'

const root = join(import.meta.dirname, '../..')
const port = process.env['PLUMBLINE_E2E_PORT']
const dataDir = process.env['PLUMBLINE_E2E_DATA']
if (port === undefined || dataDir === undefined)
  throw new Error('PLUMBLINE_E2E_PORT and PLUMBLINE_E2E_DATA are set by playwright.config.ts.')

const prepared = spawnSync(process.execPath, ['scripts/prepare.mjs'], { cwd: root, stdio: 'inherit' })
if (prepared.status !== 0) process.exit(1)

const server = spawn(process.execPath, ['src/server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PORT: port,
    HOST: '127.0.0.1',
    APP_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    STORAGE_URL: '',
    MAIL_URL: '',
    SEED: 'none',
    ADMIN_EMAIL: E2E_ADMIN.email,
    ADMIN_PASSWORD: E2E_ADMIN.password,
    LOG_LEVEL: 'warn',
    // The sign-in service of a journey is on this machine.
    SSO_PRIVATE_HOSTS: '127.0.0.1',
    SUPPORT_EMAIL: 'support@plumbline.example',
  },
})
server.on('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  process.exit(code ?? 1)
})
// Playwright signals the whole process group. The server then stops by itself; a second signal would interrupt it.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
