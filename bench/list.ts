import { alternate, ratioFigure, perSecond, type Figure, type Line, type Round } from './figures.ts'
import { load, type Request } from './load.ts'
import type { Started } from './processes.ts'
import { explainSearches } from './explain.ts'
import type { Effort } from './effort.ts'
import { openFloor, openStage, type Stage } from './stage.ts'

const CONNECTIONS = 16
const SORT = 'sort=updated_at&order=desc'

interface Case {
  what: string
  product: (number: number) => string
  floor: (number: number) => string
}

let serial = 0
/** A filter that nobody knows is ignored, but makes the list another one: nothing kept from before answers it. */
const anew = () => `filter__unheard_of=${(serial += 1)}`

/** Fragments of four to seven letters out of the middle of real names and addresses of the company, all of them different work. */
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
      what: 'accounts, page 1, sorted, with total: every answer new',
      product: () => `accounts?${SORT}&${anew()}`,
      floor: () => `accounts?${scope}`,
    },
    {
      what: 'accounts searched by name: unchanged',
      product: (n) => `accounts?${SORT}&search=${word(accountWords, n)}`,
      floor: (n) => `accounts?${scope}&search=${word(accountWords, n)}`,
    },
    {
      what: 'accounts searched by name: every answer new',
      product: (n) => `accounts?${SORT}&search=${word(accountWords, n)}&${anew()}`,
      floor: (n) => `accounts?${scope}&search=${word(accountWords, n)}`,
    },
    {
      what: 'properties searched by address: unchanged',
      product: (n) => `account_properties?${SORT}&search=${word(addressWords, n)}`,
      floor: (n) => `properties?${scope}&search=${word(addressWords, n)}`,
    },
    {
      what: 'properties searched by address: every answer new',
      product: (n) => `account_properties?${SORT}&search=${word(addressWords, n)}&${anew()}`,
      floor: (n) => `properties?${scope}&search=${word(addressWords, n)}`,
    },
  ]
}

/** Throughput of lists at 16 connections against the bare server, a broker signed in and seeing their company only. */
export async function measureLists(effort: Effort): Promise<Line[]> {
  const stage = await openStage(effort.lists)
  const floor = await openFloor(stage)
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
