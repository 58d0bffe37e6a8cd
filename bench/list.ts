import { alternate, median, milliseconds, ratioFigure, perSecond, type Figure, type Line, type Round } from './figures.ts'
import { load, type Request } from './load.ts'
import type { Started } from './processes.ts'
import { explainSearches } from './explain.ts'
import type { Effort } from './stage.ts'
import { openBareServer, openStage, type Stage } from './stage.ts'

const CONNECTIONS = 16
const SORT = 'sort=updated_at&order=desc'

interface Case {
  what: string
  product: (number: number) => string
  floor: (number: number) => string
}

let serial = 0
/** Lists ignore an unknown filter, but it makes the query different, so that no cached answer is used. */
const uncached = () => `filter__unheard_of=${(serial += 1)}`

/** Search texts: four to seven letters from the middle of real names and addresses of the company. */
async function fragments(stage: Stage, column: 'accounts.name' | 'account_properties.address'): Promise<string[]> {
  const table = column.split('.')[0] ?? ''
  const { rows } = await stage.database.query<{ text: string }>(
    `SELECT ${column} AS text FROM ${table} ${table === 'accounts' ? '' : 'JOIN accounts ON accounts.id = account_id'} WHERE company_id = $1 ORDER BY md5(${table}.id::text) LIMIT 40`,
    [stage.companyId],
  )
  return rows.map(({ text }, index) => text.slice(1, 5 + (index % 4)).trim())
}

function cases(stage: Stage, accountWords: string[], addressWords: string[]): Case[] {
  const scope = `company=${stage.companyId}&user=${stage.brokerId}`
  const word = (words: string[], number: number) => encodeURIComponent(words[number % words.length] ?? '')
  return [
    { what: 'accounts, page 1, sorted, with total: unchanged', product: () => `accounts?${SORT}`, floor: () => `accounts?${scope}` },
    {
      what: 'accounts, page 1, sorted, with total: uncached',
      product: () => `accounts?${SORT}&${uncached()}`,
      floor: () => `accounts?${scope}`,
    },
    {
      what: 'accounts searched by name: unchanged',
      product: (n) => `accounts?${SORT}&search=${word(accountWords, n)}`,
      floor: (n) => `accounts?${scope}&search=${word(accountWords, n)}`,
    },
    {
      what: 'accounts searched by name: uncached',
      product: (n) => `accounts?${SORT}&search=${word(accountWords, n)}&${uncached()}`,
      floor: (n) => `accounts?${scope}&search=${word(accountWords, n)}`,
    },
    {
      what: 'properties searched by address: unchanged',
      product: (n) => `account_properties?${SORT}&search=${word(addressWords, n)}`,
      floor: (n) => `properties?${scope}&search=${word(addressWords, n)}`,
    },
    {
      what: 'properties searched by address: uncached',
      product: (n) => `account_properties?${SORT}&search=${word(addressWords, n)}&${uncached()}`,
      floor: (n) => `properties?${scope}&search=${word(addressWords, n)}`,
    },
  ]
}

/** Throughput of lists at 16 connections for a broker who sees one company, compared with the bare server. */
export async function measureLists(effort: Effort): Promise<Line[]> {
  const stage = await openStage(effort.lists)
  const floor = await openBareServer(stage)
  try {
    const [accountWords, addressWords] = [await fragments(stage, 'accounts.name'), await fragments(stage, 'account_properties.address')]
    const lines: Figure[] = []
    for (const one of cases(stage, accountWords, addressWords)) {
      const rounds = await race(stage, floor, one, effort)
      lines.push(ratioFigure({ what: one.what, rounds, unit: perSecond, yardstick: 'bare server', atLeast: 1 }))
    }
    return [...lines, ...(await explainSearches(stage, accountWords[0] ?? '', addressWords[0] ?? ''))]
  } finally {
    await floor.stop()
    await stage.close()
  }
}

async function race(stage: Stage, floor: Started, { product, floor: bare }: Case, { rounds, seconds }: Effort): Promise<Round[]> {
  const headers = { authorization: `Bearer ${stage.brokerToken}` }
  const run = async (address: string, request: (number: number) => Request, time: number) =>
    (await load({ address, connections: CONNECTIONS, seconds: time, request })).perSecond
  const ours = (time: number) => run(stage.product.address, (n) => ({ path: `/api/v1/${product(n)}`, headers }), time)
  const theirs = (time: number) => run(floor.address, (n) => ({ path: `/${bare(n)}` }), time)
  await ours(seconds / 2)
  await theirs(seconds / 2)
  return alternate(
    rounds,
    () => ours(seconds),
    () => theirs(seconds),
  )
}

const GROWTH_AT_MOST = 1.5

const WHAT = 'accounts, page 1, sorted, with total'
const PATH = 'accounts?sort=updated_at&order=desc'

/** Response time of a list with 100 times as many properties: one connection, no cached answers. */
export async function measureGrowth({ growth: [fewScale, manyScale], rounds, seconds }: Effort): Promise<Line[]> {
  const many = await openStage(manyScale)
  const few = await openStage(fewScale).catch(async (error: unknown) => {
    await many.close()
    throw error
  })
  try {
    const time = (stage: Stage) => () => medianMs(stage, seconds)
    await time(many)()
    await time(few)()
    const taken = await alternate(rounds, time(many), time(few))
    const sizes = `${manyScale.properties.toLocaleString('en-US')} to ${fewScale.properties.toLocaleString('en-US')} properties`
    return [
      ratioFigure({ what: `${WHAT}: ${sizes}`, rounds: taken, unit: milliseconds, yardstick: 'the small one', atMost: GROWTH_AT_MOST }),
    ]
  } finally {
    await few.close()
    await many.close()
  }
}

async function medianMs({ product, brokerToken }: Stage, seconds: number): Promise<number> {
  const request = () => ({
    path: `/api/v1/${PATH}&${uncached()}`,
    headers: { authorization: `Bearer ${brokerToken}` },
  })
  return median((await load({ address: product.address, connections: 1, seconds, request })).latencies)
}
