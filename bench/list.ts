import { alternate, median, milliseconds, ratioFigure, perSecond, type Figure, type Line } from './figures.ts'
import { load, type Request } from './load.ts'
import { race } from './race.ts'
import { explainSearches } from './explain.ts'
import type { Effort } from './stage.ts'
import { openBareServer, openStage, type Stage } from './stage.ts'

/** Number of search texts of each list. */
const WORDS = 40
const SORT = 'sort=updated_at&order=desc'

interface List {
  what: string
  product: (number: number) => string
  bare: (number: number) => string
  token: string
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

function lists(stage: Stage, accountWords: string[], addressWords: string[]): List[] {
  const scope = `company=${stage.companyId}&user=${stage.brokerId}`
  const word = (words: string[], number: number) => `search=${encodeURIComponent(words[number % words.length] ?? '')}`
  return [
    { what: 'accounts, page 1', product: () => `accounts?${SORT}`, bare: () => `accounts?${scope}`, token: stage.brokerToken },
    {
      what: 'accounts of all companies, page 1',
      product: () => `accounts?${SORT}`,
      bare: () => `accounts?user=${stage.adminId}`,
      token: stage.adminToken,
    },
    {
      what: 'accounts searched by name',
      product: (n) => `accounts?${SORT}&${word(accountWords, n)}`,
      bare: (n) => `accounts?${scope}&${word(accountWords, n)}`,
      token: stage.brokerToken,
    },
    {
      what: 'properties searched by address',
      product: (n) => `account_properties?${SORT}&${word(addressWords, n)}`,
      bare: (n) => `properties?${scope}&${word(addressWords, n)}`,
      token: stage.brokerToken,
    },
  ]
}

type Product = (number: number) => Request

/** The product's three kinds of answers: from its cache, 304 for a client that has the page, and read from the database. */
async function answersOf(stage: Stage, { product, token }: List): Promise<[kind: string, request: Product][]> {
  const headers = { authorization: `Bearer ${token}` }
  const path = (number: number) => `/api/v1/${product(number)}`
  const etags = new Map<string, string>()
  for (let number = 0; number < WORDS; number += 1) {
    const { headers: answered } = await fetch(`${stage.product.address}${path(number)}`, { headers })
    etags.set(path(number), answered.get('etag') ?? '')
  }
  return [
    ['unchanged', (n) => ({ path: path(n), headers })],
    ['not modified', (n) => ({ path: path(n), headers: { ...headers, 'if-none-match': etags.get(path(n % WORDS)) ?? '' } })],
    ['new', (n) => ({ path: `${path(n)}&${uncached()}`, headers })],
  ]
}

/** Throughput of lists at 16 connections for a broker who sees one company and an administrator, compared with the bare server. */
export async function measureLists(effort: Effort): Promise<Line[]> {
  const stage = await openStage(effort.lists)
  const bare = await openBareServer(stage)
  try {
    const [accountWords, addressWords] = [await fragments(stage, 'accounts.name'), await fragments(stage, 'account_properties.address')]
    const lines: Figure[] = []
    for (const list of lists(stage, accountWords, addressWords)) {
      for (const [kind, request] of await answersOf(stage, list)) {
        const bareRequest = (n: number) => ({ path: `/${list.bare(n)}` })
        const rounds = await race({ product: [stage.product, request], bare: [bare, bareRequest] }, effort)
        lines.push(ratioFigure({ what: `${list.what}: ${kind}`, rounds, unit: perSecond, yardstick: 'bare server', atLeast: 1 }))
      }
    }
    return [...lines, ...(await explainSearches(stage, accountWords[0] ?? '', addressWords[0] ?? ''))]
  } finally {
    await bare.stop()
    await stage.close()
  }
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
