import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { copyOf } from './copied-rows.ts'
import type { DB } from './schema.gen.ts'
import type { Spool } from './spool.ts'

interface Connections {
  db: Kysely<DB> | Transaction<DB>
  reader: Pool
}

/** What the database contained at one moment. It has a connection of its own until `close` or `copyAll` is called. */
export class Snapshot {
  private readonly client: PoolClient
  private readonly db: Connections['db']

  private constructor(client: PoolClient, db: Connections['db']) {
    this.client = client
    this.db = db
  }

  static async open({ db, reader }: Connections): Promise<Snapshot> {
    const client = await reader.connect()
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      return new Snapshot(client, db)
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async rows<T extends object>(statement: RawBuilder<T>): Promise<T[]> {
    const { sql: text, parameters } = statement.compile(this.db)
    return (await this.client.query<T>({ text, values: [...parameters] })).rows
  }

  /** Copies the rows of the statements, in order, for `rowsOf`, as fast as the database reads them. An error reaches the readers. */
  async copyAll(copies: readonly { statement: RawBuilder<object>; to: Spool }[]): Promise<void> {
    try {
      for (const { statement, to } of copies) {
        for await (const chunk of this.client.query(copyOf(statement))) await to.write(chunk as Buffer) // a copy yields bytes
        to.end()
      }
    } catch (error) {
      for (const { to } of copies) to.end(error as Error) // what the driver and the file system throw
    }
    await this.close()
  }

  async close(): Promise<void> {
    try {
      await this.client.query('COMMIT')
      this.client.release()
    } catch {
      this.client.release(true)
    }
  }
}
