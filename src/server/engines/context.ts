import type { Kysely, Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Model } from '#contract/permissions.ts'
import type { DB } from '#server/db/schema.gen.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Mail } from './mail/mail.ts'
import type { Storage } from './storage/storage.ts'

/** What the process has, made once by app.ts and passed first to everything that works. */
export interface Services {
  config: Config
  log: Log
  clock: Clock
  db: Kysely<DB> | Transaction<DB>
  /** For LISTEN and COPY; inside a transaction use `db`. */
  pool: Pool
  /** For statements asked again and again, each planned once a connection: lists and sessions. */
  reader: Pool
  storage: Storage
  mail: Mail
  jobs: Jobs
}

/** Services in the name of a viewer. */
export interface Context extends Services {
  viewer: Viewer
}

/** The queue as the rest of the server sees it. */
export interface Jobs {
  boss: PgBoss
}

/** That a record changed, without what: browsers refetch through the ordinary authorised call. */
export interface Change {
  model: Model
  id: string | null
  /** The account it belongs to, when it does: its watchers are told, and its own lists are stamped. */
  accountId?: string
  scope?: 'data' | 'files'
  /** Further principals (companies or users) whose lists show it. */
  principals?: readonly string[]
}

/** A context inside a transaction: what it changes, records, emits and enqueues commits or rolls back together. */
export interface WriteContext extends Context {
  db: Transaction<DB>
  readonly changes: Change[]
}
