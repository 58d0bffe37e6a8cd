import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Line } from './figures.ts'
import { startProduct } from './processes.ts'
import type { Stage } from './stage.ts'

const SETTINGS = [
  'session_preload_libraries = auto_explain',
  'auto_explain.log_min_duration = 0',
  'auto_explain.log_analyze = on',
  'auto_explain.log_timing = off',
]

/** The plans of the two searched lists. */
export async function explainSearches(stage: Stage, accountWord: string, addressWord: string): Promise<Line[]> {
  const plans = await plansOfCalls(stage, stage.brokerToken, [
    `accounts?sort=updated_at&order=desc&search=${encodeURIComponent(accountWord)}`,
    `account_properties?sort=updated_at&order=desc&search=${encodeURIComponent(addressWord)}`,
  ])
  return [scansFigure('plans of the two searches (page and total together): sequential scans', plans, 2)]
}

/** The plans of global search with some texts in each group. Companies, subscriptions and roles are few, and may be read one by one. */
export async function explainGlobalSearch(stage: Stage, groups: readonly string[], texts: readonly string[]): Promise<Line[]> {
  const calls = groups.flatMap((group) => texts.slice(0, 14).map((text) => `${group}/search?paginate=5&search=${encodeURIComponent(text)}`))
  const plans = await plansOfCalls(stage, stage.adminToken, calls)
  return [scansFigure('plans of global search: sequential scans of large tables', plans, groups.length)]
}

/** Of a table that can be large, and that was read. An empty one costs nothing to read, and has no plan by index. */
const SEQUENTIAL =
  /Seq Scan on (accounts|account_properties|account_files|search_entries)\b[^(]*\(cost=0\.00\.\.(?!0\.00 )[^)]*\)(?! \(never executed\))/

function scansFigure(what: string, plans: readonly string[], expected: number): Line {
  process.stderr.write(`${plans.map(scansOf).join('\n\n')}\n\n`)
  const sequential = plans.filter((plan) => SEQUENTIAL.test(plan)).length
  return { what, measured: `${sequential} in ${plans.length} plans`, goal: '0', ok: plans.length >= expected && sequential === 0 }
}

/** The plans of the product's own search statements, as the database noted them while the product ran them. */
async function plansOfCalls(stage: Stage, token: string, paths: readonly string[]): Promise<string[]> {
  const log = join(stage.dataDir, 'postgres.log')
  for (const setting of SETTINGS) await stage.database.query(`ALTER DATABASE plumbline SET ${setting}`)
  try {
    const from = statSync(log).size
    const other = await startProduct({ dataDir: stage.dataDir, probe: false })
    const headers = { authorization: `Bearer ${token}` }
    for (const path of paths) {
      const answer = await fetch(`${other.address}/api/v1/${path}`, { headers })
      if (!answer.ok && answer.status !== 404) throw new Error(`${path}: ${answer.status}`)
    }
    await other.stop()
    await pause(300)
    return (await plansOf(log, from)).filter((plan) => /search_entries/.test(plan) && /LIKE|~/.test(plan))
  } finally {
    for (const setting of SETTINGS) await stage.database.query(`ALTER DATABASE plumbline RESET ${setting.split(' ')[0] ?? ''}`)
  }
}

/** The statement's kind and its scans, one a line. */
const scansOf = (plan: string): string =>
  [
    /duration: [0-9.]+ ms/.exec(plan)?.[0] ?? '',
    ...plan
      .split('\n')
      .filter((line) => /Query Text|Scan/.test(line))
      .map((line) => line.trim().slice(0, 140)),
  ].join('\n')

async function plansOf(file: string, from: number): Promise<string[]> {
  const plans: string[] = []
  for await (const line of createInterface({ input: createReadStream(file, { start: from }) })) {
    if (/duration: .* plan:/.test(line)) plans.push(line)
    else if (/^\s/.test(line) && plans.length > 0) plans.push(`${plans.pop() ?? ''}\n${line}`)
  }
  return plans
}
