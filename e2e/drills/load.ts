import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import type { Client } from '../support/client.ts'
import { addDocument, fetchFile } from '../support/uploads.ts'

const STUCK_AFTER_MS = 30_000
const PAUSE_AFTER_ERROR_MS = 50
const OPEN_ACCOUNTS = 20

/** `names` are those sent, in order; every name from the confirmed one on may be the stored one. */
type Account = { id: string; names: string[]; confirmed: number }
type Property = { id: string; value: number }
type Document = { id: string; accountId: string; sha256: string }

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** What the server acknowledged, and what it did not. */
export interface Ledger {
  accounts: Account[]
  properties: Property[]
  documents: Document[]
  acknowledged: number
  /** Answered with 503. */
  unavailable: number
  /** The port was closed. */
  refused: number
  /** The connection broke; with the name of the account that was being created, if any. */
  broken: (string | undefined)[]
  /** Any other error, which no drill expects. */
  unexpected: string[]
  /** Requests without an answer after STUCK_AFTER_MS. */
  stuck: string[]
}

export const newLedger = (): Ledger => ({
  accounts: [],
  properties: [],
  documents: [],
  acknowledged: 0,
  unavailable: 0,
  refused: 0,
  broken: [],
  unexpected: [],
  stuck: [],
})

interface Target {
  client: Client
  address: string
  ledger: Ledger
}

let serial = 0

type Action = (target: Target, own: Account[]) => Promise<void>

const anyOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

const createAccount: Action = async ({ client, ledger }, own) => {
  const name = `Drill account ${(serial += 1)}`
  const { data } = await client(accountCalls.create, { body: { name, type: 'standard' } }).catch((error: unknown) => {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { creating: name })
  })
  const account = { id: data.id, names: [name], confirmed: 0 }
  ledger.accounts.push(account)
  own.push(account)
  if (own.length > OPEN_ACCOUNTS) own.shift()
}

const ACTIONS: readonly Action[] = [
  createAccount,
  async ({ client }, own) => {
    const account = anyOf(own)
    if (account === undefined) return
    const name = `Renamed ${(serial += 1)}`
    const sent = account.names.push(name) - 1
    await client(accountCalls.update, { params: { id: account.id }, body: { name } })
    account.confirmed = sent
  },
  async ({ client, ledger }, own) => {
    const account = anyOf(own)
    if (account === undefined) return
    const value = (serial += 1)
    const body = { account_id: account.id, address: `${value} Main St`, city: 'Reno', state: 'NV', country: 'US', building_value: value }
    const { data } = await client(propertyCalls.create, { body })
    ledger.properties.push({ id: data.id, value })
  },
  async ({ client, address, ledger }, own) => {
    const account = anyOf(own)
    if (account === undefined) return
    const bytes = randomBytes(20_000 + Math.floor(Math.random() * 200_000))
    // Random bytes may begin like a program, which is rejected.
    bytes.write('data')
    const id = await addDocument(client, address, { accountId: account.id, name: `${(serial += 1)}.dat`, bytes })
    ledger.documents.push({ id, accountId: account.id, sha256: digest(bytes) })
  },
  async ({ client }) => void (await client(accountCalls.index, { query: { paginate: '25' } })),
]

/** Runs the given number of writers until `stop`; each changes only accounts of its own, so the order of its writes is known. */
export function startLoad(target: Target, writers = 8) {
  let running = true
  const write = async () => {
    const own: Account[] = []
    while (running) {
      const began = Date.now()
      const action = own.length === 0 ? createAccount : (anyOf(ACTIONS) ?? createAccount)
      const failure: unknown = await action(target, own).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (Date.now() - began > STUCK_AFTER_MS) target.ledger.stuck.push(`${Date.now() - began} ms`)
      if (failure === undefined) target.ledger.acknowledged += 1
      else {
        record(target.ledger, failure)
        await pause(PAUSE_AFTER_ERROR_MS)
      }
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, write))
  return {
    stop: async () => {
      running = false
      await writing
    },
  }
}

function record(ledger: Ledger, error: unknown): void {
  const text = error instanceof Error ? `${error.message} ${error.cause instanceof Error ? String(error.cause) : ''}` : String(error)
  const code = error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
  if (/: 503\b/.test(text)) ledger.unavailable += 1
  else if (code === 'ECONNREFUSED') ledger.refused += 1
  else if (text.includes('fetch failed') || text.includes('terminated'))
    ledger.broken.push(error instanceof Error && 'creating' in error ? String(error.creating) : undefined)
  else ledger.unexpected.push(text.slice(0, 300))
}

/** Reads everything that was acknowledged. `lost` does not exist or has an older value, `half` has other bytes. */
export async function verify({ client, address, ledger }: Target) {
  const lost: string[] = []
  const half: string[] = []
  const missing = (what: string) => () => void lost.push(what)
  for (const { id, names, confirmed } of ledger.accounts) {
    await client(accountCalls.show, { params: { id } }).then(
      ({ data }) => {
        if (!names.slice(confirmed).includes(data.name.text)) lost.push(`account ${id}: ${data.name.text}, not ${names[confirmed]}`)
      },
      missing(`account ${id}`),
    )
  }
  for (const { id, value } of ledger.properties) {
    await client(propertyCalls.show, { params: { id } }).then(
      ({ data }) => {
        if (data.values['building_value'] !== value) half.push(`property ${id}`)
      },
      missing(`property ${id}`),
    )
  }
  for (const { id, accountId, sha256 } of ledger.documents) {
    await fetchFile(client, address, accountId, id).then(
      (bytes) => {
        if (digest(bytes) !== sha256) half.push(`document ${id}`)
      },
      missing(`document ${id}`),
    )
  }
  return { lost, half }
}
