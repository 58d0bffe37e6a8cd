import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from } from 'pg-copy-streams'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'

type CopyValue = string | number | boolean | null

/** Sends rows into a table with COPY, with back-pressure; lines are made as the server takes them. */
export async function copyLines(
  client: PoolClient,
  target: string,
  rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>,
): Promise<void> {
  await pipeline(Readable.from(chunksOf(rows), { objectMode: false }), client.query(from(`COPY ${target} FROM STDIN`)))
}

const CHUNK_CHARACTERS = 64 * 1024

async function* chunksOf(rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>): AsyncGenerator<string> {
  const yieldToEventLoop = eventLoopYielder()
  let chunk = ''
  for await (const row of rows) {
    await yieldToEventLoop()
    chunk += `${row.map(escaped).join('\t')}\n`
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (value: CopyValue): string =>
  value === null ? '\\N' : typeof value === 'string' ? value.replace(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign) : String(value)
