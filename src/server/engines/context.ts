import type { Kysely, Transaction } from 'kysely'
import type { LimitFunction } from 'p-limit'
import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import type { ChangeScope } from '#contract/events.ts'
import type { Model } from '#contract/models.ts'
import type { TimeLimits } from '#server/db/client.ts'
import type { DB } from '#server/db/schema.gen.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Caches } from './caches.ts'
import type { Mail } from './mail/mail.ts'
import type { Storage } from './storage/storage.ts'

/** The resources of the process, created once by app.ts and passed as the first argument. */
export interface Services extends Caches {
  config: Config
  log: Log
  clock: Clock
  db: Kysely<DB> | Transaction<DB>
  /** For LISTEN and COPY; inside a transaction use `db`. */
  pool: Pool
  /** For frequent reads, each planned once for a connection: lists and sessions (`runPrepared`). */
  reader: Pool
  storage: Storage
  mail: Mail
  jobs: Jobs
  /** Imports that this process works on at the same time. */
  importLimit: LimitFunction
  /** Reads of the first rows of spreadsheets, which take seconds at most and do not wait for imports. */
  sheetHeadLimit: LimitFunction
  /** How long a statement of a transaction may take: longer in jobs than in requests. */
  limits: TimeLimits
  /** Called before the commit of every transaction that changed property values of the account. */
  onRegisterChanged: (tx: WriteContext, accountId: string) => Promise<void>
}

/** Services acting for a viewer. */
export interface Context extends Services {
  viewer: Viewer
}

/** The job queue and the jobs that this process runs. */
export interface Jobs {
  boss: PgBoss
  /** Aborted at shutdown. */
  stopping: AbortController
  /** Names of running jobs by id. */
  running: Map<string, string>
  /** Called after each job. */
  jobEnded: () => void
}

/**
 * Which record changed, without its values: browsers refetch through the ordinary authorized call. The last part says whose lists
 * show it, and is required, because a change that raises no version would always be answered with 304.
 */
export type Change = {
  model: Model
  scope?: ChangeScope
  /** For an account that the transaction created, which is at the front of the lists already. */
  isNew?: boolean
  /** Of records that not all users of the account see, such as private documents. It does not move the account's `updated_at`. */
  isHidden?: boolean
} & (
  | { id: string | null; inAccount: string; for?: never; everywhere?: never }
  /** Companies, users or accounts. */
  | { id: string | null; for: readonly string[]; inAccount?: never; everywhere?: never }
  /** Reaches every company, so it names no record. */
  | { id: null; everywhere: true; inAccount?: never; for?: never }
)

/** A context inside a transaction: what it changes, records, emits and enqueues commits or rolls back together. */
export interface WriteContext extends Context {
  db: Transaction<DB>
  readonly changes: Change[]
}
