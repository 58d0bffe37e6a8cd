import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Environment, loadConfig } from './config.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'plumbline-config-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true }))

const load = (env: Record<string, string>) => loadConfig({ DATA_DIR, ...env })

describe('configuration', () => {
  test('has a default for every variable', () => {
    const config = load({})
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      appUrl: 'http://localhost:3000',
      seed: 'demo',
      worker: true,
      mode: 'production',
    })
    expect(config.databaseUrl).toBeUndefined()
    expect(config.mailFrom).toBe('Plumbline <no-reply@localhost>')
  })

  test('creates the secret once, readable by its owner only', () => {
    const first = load({}).secretKey
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(load({}).secretKey).toBe(first)
    expect(statSync(join(DATA_DIR, 'secret')).mode & 0o777).toBe(0o600)
  })

  test('rejects an empty secret file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-secret-'))
    writeFileSync(join(folder, 'secret'), '')
    expect(messageOf(() => load({ DATA_DIR: folder }))).toContain('does not contain a secret')
    rmSync(folder, { recursive: true })
  })

  test('treats an empty variable as unset', () => {
    expect(load({ PORT: '', MAIL_URL: ' ' })).toMatchObject({ port: 3000, mailUrl: undefined })
  })

  test('names all invalid variables in one message, without their values', () => {
    const wrong = { PORT: 'http', DATABASE_URL: 'mysql://root:hunter2@db', ADMIN_PASSWORD: 'short', WORKER: 'perhaps', TRUST_PROXY: 'all' }
    const message = messageOf(() => load(wrong))
    for (const name of Object.keys(wrong)) expect(message).toContain(name)
    expect(message).not.toContain('hunter2')
  })

  test('requires a secret when the database is shared', () => {
    const DATABASE_URL = 'postgres://me:pw@db/plumbline'
    expect(messageOf(() => load({ DATABASE_URL }))).toContain('SECRET_KEY must be set together with DATABASE_URL')
    expect(load({ DATABASE_URL, SECRET_KEY: 'x'.repeat(32) })).toMatchObject({ databaseUrl: DATABASE_URL, seed: 'none' })
  })

  test('accepts a number of proxies or their addresses, but never all of them', () => {
    expect(load({ TRUST_PROXY: '1' }).trustProxy).toBe(1)
    expect(load({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toBe('10.0.0.0/8, ::1')
    expect(messageOf(() => load({ TRUST_PROXY: 'true' }))).toContain('TRUST_PROXY must be a number of proxies or a list of their addresses')
  })

  test('reads exactly the variables of .env.example, with the same defaults', () => {
    const lines = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8').split('\n')
    const listed = Object.fromEntries(lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split('=')))
    expect(Object.keys(listed)).toEqual(Object.keys(Environment.shape))
    expect(load({ ...listed, DATA_DIR })).toEqual(load({}))
  })
})

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return 'no error'
}
