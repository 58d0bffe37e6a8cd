// The server of the browser tests: built, on an empty DATA_DIR with the demo, everything removed when it ends.
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { E2E_ADMIN } from './people.ts'

const root = join(import.meta.dirname, '../..')
const port = process.env['PLUMBLINE_E2E_PORT']
const dataDir = process.env['PLUMBLINE_E2E_DATA']
if (port === undefined || dataDir === undefined) throw new Error('Started by playwright.config.ts, which names the port and the folder.')

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
    SEED: 'demo',
    ADMIN_EMAIL: E2E_ADMIN.email,
    ADMIN_PASSWORD: E2E_ADMIN.password,
    LOG_LEVEL: 'warn',
    SUPPORT_EMAIL: 'support@plumbline.example',
  },
})
server.on('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  process.exit(code ?? 1)
})
// The runner signals the whole group: the server ends itself, and a second signal would cut that short.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
