import { setTimeout as pause } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountCalls } from '#contract/accounts.ts'
import { importCalls, XLSX } from '#contract/import-calls.ts'
import { columnsToConfirm, type Import } from '#contract/imports.ts'
import { sendBytes } from '../e2e/support/uploads.ts'
import type { Effort } from './stage.ts'
import { limitFigure, megabytes, milliseconds, ratioFigure, seconds, type Line } from './figures.ts'
import { runProgram } from './processes.ts'
import { sampleSheet, type SampleSheet } from './sample-sheet.ts'
import { watch } from './sampling.ts'
import { openStage, type Stage } from './stage.ts'

const MEMORY_AT_MOST_BYTES = 200 * 1024 ** 2
const STALL_AT_MOST_MS = 100
const LOOK_EVERY_MS = 50
/** Columns that COPY must not list. */
const GIVEN = `column_name NOT IN ('id', 'tiv') AND is_generated = 'NEVER'`

interface Taken {
  rows: number
  preview: number
  commit: number
  copy: number
  grownBytes: number
  busyMs: number
  stallMs: number
  idleStallMs: number
}

/** An import from upload to preview to commit, compared with \copy of the same rows into the same table with its indexes and triggers. */
export async function measureImport(effort: Effort): Promise<Line[]> {
  const sheet = await sampleSheet()
  const stage = await openStage(effort.lists)
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
  try {
    const rounds: Taken[] = []
    // The first round warms up both sides and is not counted.
    for (let round = 0; round <= effort.importRounds; round += 1) rounds.push(await takeRound(stage, sheet, folder))
    return report(sheet, effort.importRounds === 0 ? rounds : rounds.slice(1), rounds[0])
  } finally {
    await rm(folder, { recursive: true })
    await stage.close()
  }
}

async function takeRound(stage: Stage, sheet: SampleSheet, folder: string): Promise<Taken> {
  const { data: account } = await stage.broker(accountCalls.create, { body: { name: `Bench import ${Date.now()}`, type: 'standard' } })
  try {
    const preview = await watch(stage.product, () => prepare(stage, account.id, sheet))
    const commit = await watch(stage.product, () => write(stage, preview.result))
    const copy = await copyAgain(stage, account.id, folder)
    return {
      rows: commit.result.created,
      preview: preview.seconds,
      commit: commit.seconds,
      copy,
      grownBytes: Math.max(preview.grownBytes, commit.grownBytes),
      busyMs: Math.max(preview.busyMs, commit.busyMs),
      stallMs: Math.max(preview.stallMs, commit.stallMs),
      idleStallMs: Math.max(preview.idleStallMs, commit.idleStallMs),
    }
  } finally {
    await removeAccount(stage, account.id)
  }
}

export async function prepare(stage: Stage, accountId: string, { name, bytes }: SampleSheet): Promise<Import> {
  const key = await sendBytes(stage.broker, stage.product.address, { accountId, name, bytes, type: XLSX })
  const { data } = await stage.broker(importCalls.create, { params: { account_id: accountId }, body: { source: { key } } })
  return settled(stage, data.id, 'validated')
}

export async function write(stage: Stage, data: Import): Promise<Import> {
  const { id, version } = data
  await stage.broker(importCalls.commit, { params: { id }, body: { version, confirmed: columnsToConfirm(data) } })
  return settled(stage, id, 'committed')
}

/** Polls the database directly, so that waiting does not load the product. */
async function settled(stage: Stage, id: string, wanted: Import['state']): Promise<Import> {
  for (;;) {
    const { rows } = await stage.database.query<{ state: string }>('SELECT state FROM imports WHERE id = $1 AND activity IS NULL', [id])
    const state = rows[0]?.state
    if (state === wanted) return (await stage.broker(importCalls.show, { params: { id } })).data
    if (state === 'failed') throw new Error(`The import failed: ${(await stage.broker(importCalls.show, { params: { id } })).data.failure}`)
    await pause(LOOK_EVERY_MS)
  }
}

/** Seconds in which psql copies the account's rows into a fresh account of the same table, indexes and triggers included. */
async function copyAgain(stage: Stage, accountId: string, folder: string): Promise<number> {
  const { data: scratch } = await stage.broker(accountCalls.create, { body: { name: `Bench copy ${Date.now()}`, type: 'standard' } })
  const file = join(folder, 'rows.csv')
  const { rows } = await stage.database.query<{ names: string; values: string }>(
    `SELECT string_agg(quote_ident(column_name), ',' ORDER BY ordinal_position) AS names,
       string_agg(CASE column_name WHEN 'account_id' THEN quote_literal($1::text) ELSE quote_ident(column_name) END, ',' ORDER BY ordinal_position) AS values
     FROM information_schema.columns WHERE table_name = 'account_properties' AND ${GIVEN}`,
    [scratch.id],
  )
  const [{ names, values } = { names: '', values: '' }] = rows
  try {
    await psql(stage, `\\copy (SELECT ${values} FROM account_properties WHERE account_id = '${accountId}') TO '${file}' WITH (FORMAT csv)`)
    const begun = performance.now()
    await psql(stage, `\\copy account_properties (${names}) FROM '${file}' WITH (FORMAT csv)`)
    return (performance.now() - begun) / 1_000
  } finally {
    await removeAccount(stage, scratch.id)
  }
}

export const removeAccount = ({ database }: Stage, id: string) => database.query('DELETE FROM accounts WHERE id = $1', [id])

const psql = (stage: Stage, command: string) => runProgram('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', command, stage.databaseUrl])

function report(sheet: SampleSheet, rounds: readonly Taken[], first: Taken | undefined): Line[] {
  const what = `import of ${rounds[0]?.rows.toLocaleString('en-US')} rows (${sheet.origin})`
  const against = (part: (taken: Taken) => number) => rounds.map((taken) => ({ product: part(taken), yardstick: taken.copy }))
  const yardstick = 'psql \\copy of the same rows'
  const most = (part: (taken: Taken) => number) => milliseconds(Math.max(...rounds.map(part)))
  const wall = `with waits for a processor ${most(({ stallMs }) => stallMs)}; an idle process ${most(({ idleStallMs }) => idleStallMs)}`
  return [
    ratioFigure({ what: `${what}: upload to preview`, rounds: against(({ preview }) => preview), unit: seconds, yardstick }),
    ratioFigure({ what: `${what}: preview to register`, rounds: against(({ commit }) => commit), unit: seconds, yardstick }),
    limitFigure(
      'memory grown by an import',
      Math.max(first?.grownBytes ?? 0, ...rounds.map(({ grownBytes }) => grownBytes)),
      MEMORY_AT_MOST_BYTES,
      megabytes,
    ),
    limitFigure(
      'event loop held at most, by an import',
      Math.max(...rounds.map(({ busyMs }) => busyMs)),
      STALL_AT_MOST_MS,
      milliseconds,
      wall,
    ),
  ]
}
