import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Call, Calls } from '#contract/route.ts'
import type { As, TestAnswer } from './app.ts'

const CONTRACT = join(import.meta.dirname, '../../contract')

export interface NamedCall {
  name: string
  call: Call
}

/** Every call that any file of the contract exports, whether a route implements it or not. */
export async function contractCalls(): Promise<NamedCall[]> {
  const files = readdirSync(CONTRACT).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((file) => import(join(CONTRACT, file)) as Promise<Record<string, unknown>>))
  const named = modules
    .flatMap((exported) =>
      Object.entries(exported).filter(([name]) => name.endsWith('Calls') && name !== 'listCalls' && name !== 'trashCalls'),
    )
    .flatMap(([group, calls]) => Object.entries(calls as Calls).map(([name, call]) => ({ name: `${group}.${name}`, call })))
  // A group may take in another: then both name the very same call.
  const once = new Map(named.map((entry) => [entry.call, entry]))
  return [...once.values()].sort((left, right) => addressOf(left.call).localeCompare(addressOf(right.call)))
}

export const addressOf = ({ method, path }: Call): string => `${path} ${method}`

const PARAMETERS: Readonly<Record<string, string>> = { key: 'dashboard', token: 'nobody-was-sent-this-token', upload_id: 'no-such-upload' }

/** The call's address with parameters that are well formed and name nothing. */
const addressable = ({ path }: Call): string =>
  `/api/v1${path.replace(/:(\w+)/g, (_whole, name: string) => PARAMETERS[name] ?? randomUUID())}`

/** Makes the call about nothing: enough to see whether the gate opens. */
export function knock(as: As, call: Call): Promise<TestAnswer> {
  const path = addressable(call)
  switch (call.method) {
    case 'GET':
      return as.get(path)
    case 'POST':
      return as.post(path)
    case 'PUT':
      return as.put(path)
    case 'PATCH':
      return as.patch(path)
    case 'DELETE':
      return as.delete(path, call.body === undefined ? undefined : {})
    default:
      return call.method satisfies never
  }
}
