import { buffer } from 'node:stream/consumers'
import { PostgresQueryCompiler, createQueryId, type RawBuilder } from 'kysely'
import pg, { type Pool } from 'pg'
import { to } from 'pg-copy-streams'

/** Writes parameters as literals, because COPY takes none. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literalOf(value))
  }
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literalOf).join(', ')}]`
  if (typeof value !== 'string' || value.includes('\0')) throw new TypeError('Only texts and arrays of them are written as literals.')
  return /['\\]/.test(value) ? pg.escapeLiteral(value) : `'${value}'`
}

/**
 * The rows of a statement, some hundred at a time, as texts as the database writes them: numbers as digits, dates in ISO format, and '' for
 * null. All are read at once, so that the connection is free again however slow the caller is, and wait as bytes, which no collection of
 * garbage copies. To read a million values as rows of the driver takes twice as long. Parameters must be texts or arrays of them.
 */
export async function copyRows(reader: Pool, statement: RawBuilder<object>): Promise<Iterable<string[][]>> {
  const { sql } = new LiteralCompiler().compileQuery(statement.toOperationNode(), createQueryId())
  const client = await reader.connect()
  try {
    return rowsOf(await buffer(client.query(to(`COPY (${sql}) TO STDOUT (NULL '')`))))
  } finally {
    client.release()
  }
}

const PIECE_BYTES = 16_384
const LINE_END = 10

function* rowsOf(copied: Buffer): Generator<string[][]> {
  for (let start = 0; start < copied.length;) {
    const end = copied.indexOf(LINE_END, start + PIECE_BYTES)
    const piece = copied.toString('utf8', start, end < 0 ? copied.length - 1 : end)
    start = end < 0 ? copied.length : end + 1
    const rows = piece.split('\n').map((line) => line.split('\t'))
    yield piece.includes('\\') ? rows.map((row) => row.map(unescaped)) : rows
  }
}

const CONTROL: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const unescaped = (text: string) => (text.includes('\\') ? text.replace(/\\(.)/g, (_, sign: string) => CONTROL[sign] ?? sign) : text)
