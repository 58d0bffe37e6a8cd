import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGUMENTS } from './support/chromium-arguments.ts'
import { freePort } from './support/processes.ts'

const DESKTOP = { width: 1440, height: 900 }
const START_MS = 180_000
const STOP_MS = 20_000

/** Workers read this file after the main process and inherit its variables, so that all of them use the same server. */
process.env['PLUMBLINE_E2E_PORT'] ??= String(await freePort())
process.env['PLUMBLINE_E2E_DATA'] ??= mkdtempSync(join(tmpdir(), 'plumbline-e2e-'))
const address = `http://127.0.0.1:${process.env['PLUMBLINE_E2E_PORT']}`

export default defineConfig({
  testDir: './journeys',
  outputDir: '../test-results',
  fullyParallel: false,
  // Each file has its own company, so that files can share the server.
  workers: 2,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: address,
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
    locale: 'en-US',
    actionTimeout: 30_000,
    // A trace records the page at each action, which takes a third of the time; add `--trace retain-on-failure` to a run of one journey.
    trace: 'off',
    screenshot: 'only-on-failure',
    acceptDownloads: true,
    launchOptions: {
      executablePath: process.env['PLUMBLINE_CHROMIUM'] ?? '/usr/bin/chromium',
      args: CHROMIUM_ARGUMENTS,
    },
  },
  webServer: {
    command: 'node support/serve.ts',
    cwd: import.meta.dirname,
    url: `${address}/readyz`,
    timeout: START_MS,
    gracefulShutdown: { signal: 'SIGTERM', timeout: STOP_MS },
    reuseExistingServer: false,
    stdout: 'ignore',
    stderr: 'pipe',
  },
})
