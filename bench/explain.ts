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

/** The plans of the product's own search statements, as the database noted them while the product ran them. */
export async function explainSearches(stage: Stage, accountWord: string, addressWord: string): Promise<Line[]> {
  const log = join(stage.dataDir, 'postgres.log')
  for (const setting of SETTINGS) await stage.database.query(`ALTER DATABASE plumbline SET ${setting}`)
  try {
    const from = statSync(log).size
    const other = await startProduct({ dataDir: stage.dataDir, probe: false })
    const headers = { authorization: `Bearer ${stage.brokerToken}` }
    const ask = async (path: string) => {
      const answer = await fetch(`${other.address}/api/v1/${path}`, { headers })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    }
    await ask(`accounts?sort=updated_at&order=desc&search=${encodeURIComponent(accountWord)}`)
    await ask(`account_properties?sort=updated_at&order=desc&search=${encodeURIComponent(addressWord)}`)
    await other.stop()
    await pause(300)
    const plans = (await plansOf(log, from)).filter((plan) => /search_entries/.test(plan) && /LIKE/.test(plan))
    process.stderr.write(`${plans.map(scansOf).join('\n\n')}\n\n`)
    const sequential = plans.filter((plan) => /Seq Scan on (accounts|account_properties|search_entries)\b/.test(plan)).length
    return [
      {
        what: 'plans of the two searches (page and total together): sequential scans',
        measured: `${sequential} in ${plans.length} plans`,
        goal: '0',
        ok: plans.length >= 2 && sequential === 0,
      },
    ]
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
