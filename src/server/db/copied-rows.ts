import { PostgresQueryCompiler, createQueryId, type RawBuilder } from 'kysely'
import pg, { type Pool } from 'pg'
import { to } from 'pg-copy-streams'
import { sentValue } from './statement-batch.ts'

/** Writes parameters as literals, because COPY takes none. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literalOf(value))
  }
}

function literalOf(value: unknown): string {
  const text = sentValue(value)
  if (text === null) return 'NULL'
  if (typeof text !== 'string' || text.includes('\0')) throw new TypeError('A value without text cannot be written as a literal.')
  // The driver copies each character, which takes long for thousands of ids.
  return /['\\]/.test(text) ? pg.escapeLiteral(text) : `'${text}'`
}

/**
 * A query for the bytes of the rows of a statement, for `rowsOf`. To read a million values as rows of the driver takes twice as long, and
 * collections of garbage copy rows that wait, but no bytes.
 */
export function copyOf(statement: RawBuilder<object>) {
  const { sql } = new LiteralCompiler().compileQuery(statement.toOperationNode(), createQueryId())
  return to(`COPY (${sql}) TO STDOUT (NULL '')`)
}

/** The rows of a statement. All are read at once, so that the connection is free again however slow the caller is. */
export async function copyRows(reader: Pool, statement: RawBuilder<object>): Promise<AsyncIterable<string[][]>> {
  const client = await reader.connect()
  try {
    return rowsOf(await client.query(copyOf(statement)).toArray())
  } finally {
    client.release()
  }
}

const PIECE_BYTES = 16_384
const LINE_END = 10

/**
 * Rows of a copy, some dozens at a time, as texts as the database writes them: numbers as digits, dates in ISO format, and '' for null.
 * @param chunks parts of the copy, which end anywhere
 */
export async function* rowsOf(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<string[][]> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const last = bytes.lastIndexOf(LINE_END) + 1
    for (let start = 0; start < last;) {
      const end = start + PIECE_BYTES < last ? bytes.lastIndexOf(LINE_END, start + PIECE_BYTES) : 0
      const next = end > start ? end + 1 : last
      yield parsed(bytes.toString('utf8', start, next - 1))
      start = next
    }
    rest = bytes.subarray(last)
  }
}

function parsed(lines: string): string[][] {
  const rows = lines.split('\n').map((line) => line.split('\t'))
  return lines.includes('\\') ? rows.map((row) => row.map(unescaped)) : rows
}

const CONTROL: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const unescaped = (text: string) => (text.includes('\\') ? text.replace(/\\(.)/g, (_, sign: string) => CONTROL[sign] ?? sign) : text)
