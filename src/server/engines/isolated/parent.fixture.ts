import type { HostileMessage, HostileRequest } from './hostile-reader.fixture.ts'
import { runIsolated } from './run-isolated.ts'

/** A server whose reader never ends. Writes the id and the environment of the reader. */
const reader = new URL('./hostile-reader.fixture.ts', import.meta.url)
const limits = { timeMs: 600_000, heapMb: 64 }
for await (const message of runIsolated<HostileRequest, HostileMessage>(reader, { does: 'loop' }, limits)) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
