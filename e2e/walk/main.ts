// Walks every screen as every role and writes pictures, contact sheets and problems to e2e/out/walk: `npm run walk`.
// WALK_ROLES=broker,client   only these roles
// WALK_AXE=all               all rules of axe also in the dark scheme
// WALK_RECORDS=2             the number of addresses of each kind
// WALK_URL, WALK_PASSWORD    a running product with the demo and the password of its users; otherwise it starts one
import { chromium, type Browser } from '@playwright/test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { buildWeb } from '../../scripts/build-web.mjs'
import { findOrInstallChromium } from '../../scripts/chromium.mjs'
import { CHROMIUM_ARGUMENTS } from '../support/chromium-arguments.ts'
import { eventually } from '../support/eventually.ts'
import { databaseUrl, freePort, makeDataDir, removeDataDir, start } from '../support/processes.ts'
import { writeContactSheets } from './contact-sheets.ts'
import { kindOf } from './addresses.ts'
import { walkers, type Walker } from './people.ts'
import { findings, table } from './report.ts'
import { walkAs, type Walk } from './walk-as.ts'
import type { Visit } from './visit.ts'

const FOLDER = join(import.meta.dirname, '../out/walk')
const ROLES_AT_ONCE = 2
const DEMO_JOBS_MS = 180_000
const PLACES_SHOWN = 3

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Until the jobs of the demo have ended: checks that still run are not what the walk is about. */
async function untilJobsEnded(dataDir: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await database.connect()
  const pending = `SELECT name FROM pgboss.job WHERE state IN ('created', 'active', 'retry') AND start_after < now()`
  try {
    await eventually(
      async () => (await database.query(pending)).rowCount,
      (count) => count === 0,
      { withinMs: DEMO_JOBS_MS },
    )
  } finally {
    await database.end()
  }
}

async function withProduct(run: (base: string) => Promise<Visit[]>): Promise<Visit[]> {
  const running = process.env['WALK_URL']
  if (running !== undefined) return run(running.replace(/\/$/, ''))
  await buildWeb()
  const dataDir = makeDataDir()
  const server = await start({ dataDir, port: await freePort(), env: { SEED: 'demo', LOG_LEVEL: 'warn' } })
  void server.ended.then((code) => say(`The product ended with exit code ${code}.`))
  try {
    await untilJobsEnded(dataDir)
    return await run(server.address)
  } finally {
    await server.stop()
    await removeDataDir(dataDir)
  }
}

async function walkAll(browser: Browser, base: string, people: readonly Walker[], routes: readonly string[]): Promise<Visit[]> {
  const waiting = [...people]
  const visits: Visit[] = []
  const walk: Omit<Walk, 'walker'> = {
    browser,
    base,
    routes,
    folder: FOLDER,
    allRules: process.env['WALK_AXE'] === 'all',
    perKind: Number(process.env['WALK_RECORDS'] ?? 2),
  }
  const next = async () => {
    for (let walker = waiting.shift(); walker !== undefined; walker = waiting.shift()) {
      const begun = Date.now()
      const own = await walkAs({ ...walk, walker })
      visits.push(...own)
      const sheets = await writeContactSheets(FOLDER, walker.role, own)
      say(`${walker.role}: ${own.length} addresses in ${Math.round((Date.now() - begun) / 1_000)} s, ${sheets.length} contact sheets`)
    }
  }
  await Promise.all(Array.from({ length: ROLES_AT_ONCE }, next))
  return visits
}

async function main(): Promise<void> {
  const people = walkers(process.env)
  const routes = readFileSync(join(import.meta.dirname, 'addresses.txt'), 'utf8')
    .trim()
    .split('\n')
  const executablePath = await findOrInstallChromium()
  if (executablePath === undefined) throw new Error('There is no Chromium here; install it, or set PLUMBLINE_CHROMIUM to its path.')
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const begun = Date.now()
  const visits = await withProduct(async (base) => {
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS })
    try {
      return await walkAll(browser, base, people, routes)
    } finally {
      await browser.close()
    }
  })
  const found = findings(visits)
  writeFileSync(join(FOLDER, 'report.json'), JSON.stringify({ findings: found, visits }, null, 2))
  for (const { problem, places } of found)
    say(`${problem}\n  ${places.length} × ${places.slice(0, PLACES_SHOWN).join(', ')}${places.length > PLACES_SHOWN ? ', …' : ''}`)
  const reached = new Set(visits.map(({ address }) => kindOf(address).replace(/\?.*/, '')))
  const unreached = routes.filter((route) => !reached.has(route.replace(/\$[a-z_]+/g, '$').replace(/\{[^}]*\}/, 'no-such-link')))
  if (unreached.length > 0) say(`\nNo role found an address of ${unreached.join(', ')}`)
  say(`\n${table(visits)}\n\n${Math.round((Date.now() - begun) / 1_000)} s; pictures, contact sheets and report.json are in ${FOLDER}`)
  process.exitCode = found.length > 0 ? 1 : 0
}

await main()
