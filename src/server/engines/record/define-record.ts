import { sql, type Expression, type Insertable, type RawBuilder, type SqlBool } from 'kysely'
import type { z } from 'zod'
import type { Cell } from '#contract/datatable.ts'
import type { Form } from '#contract/form.ts'
import { MODELS, type Model } from '#contract/models.ts'
import type { BodyOf, Call, Calls, DataIn } from '#contract/route.ts'
import { uuids } from '#server/access/scope.ts'
import { timezoneOf, type Viewer } from '#server/access/viewer.ts'
import type { DB } from '#server/db/schema.gen.ts'
import type { Context, WriteContext } from '../context.ts'
import type { Datatable } from '../datatable/define-datatable.ts'
import type { SearchedBy } from './search-records.ts'

/** The columns that every table of records has. */
export interface StoredRecord {
  id: string
  version: number
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  /** In tables whose list marks new rows. */
  created_by?: string | null
}

type TableName = keyof DB & string
type Awaitable<T> = T | Promise<T>

/** Some of the fields; one that is undefined was not sent. */
export type Patch<T> = { [K in keyof T]?: T[K] | undefined }

/** Column values of one row; any of them can be an SQL expression. */
export type Columns<T extends TableName> = {
  [C in keyof Insertable<DB[T]>]?: Insertable<DB[T]>[C] | RawBuilder<unknown> | undefined
}

/** Whose lists show a change of the record: see `Change`. */
export type ChangeScope =
  { inAccount: string; scope?: 'data' | 'files'; isHidden?: boolean } | { for: readonly string[] } | { everywhere: true }

export type Save<R, Input> = { kind: 'created'; input: Input; before?: undefined } | { kind: 'updated'; input: Patch<Input>; before: R }

/** What happened to one record, or to several of one change scope at once. */
export type RecordEvent<R, Input> =
  | { kind: 'created'; record: R; input: Input }
  | { kind: 'updated'; record: R; before: R; input: Patch<Input> }
  | { kind: 'deleted' | 'restored' | 'destroyed'; records: readonly R[] }

/** An activity line; `{user}` is replaced by the name of the viewer. */
export interface ActivityText {
  id: string
  message: string
  /** Documents named in the message: viewers who cannot see all of them do not see the line. */
  fileIds?: readonly string[]
}

export type RecordRules = { update: boolean; delete: boolean }

/** How records of a table are found, saved and trashed. */
export interface StoredModel<R extends StoredRecord, Input extends object, Rules extends RecordRules = RecordRules> {
  table: string
  /** Gives the engine the model's name, visibility and trash permission, too. */
  list: Datatable
  /** Whether a trashed record can still be opened by viewers who see it; otherwise it is not found. */
  opensTrashed?: boolean
  rules: (viewer: Viewer, record: R) => Rules
  /** Why the rules deny deleting or restoring, where a missing permission is not the only reason. */
  cannotDelete?: string
  /** The records that match; the engine adds visibility to the condition. */
  load: (ctx: Context, where: Expression<SqlBool>) => Promise<R[]>
  changeScope: (tx: WriteContext, record: R, kind: RecordEvent<R, Input>['kind']) => Awaitable<ChangeScope>
  /** Whether some viewers with access to its account do not see a record, so that events about it have no id. */
  hidesIds?: true
  /** Other models whose lists show this one, such as a company's name in the list of users. */
  alsoShownIn?: readonly Model[]
  /** Whether saves and deletions change what users can do: see `changingRights`. */
  changesRights?: boolean
  /** Slow work before the transaction, such as hashing a password; returns the input to save. `before` is undefined for a create. */
  prepare?: (ctx: Context, input: Patch<Input>, before: R | undefined) => Promise<Patch<Input>>
  /** Checks a save and returns the columns to write; undefined writes nothing. Without it, the input is the columns. Throws AppError. */
  beforeSave?: (tx: WriteContext, save: Save<R, Input>) => Awaitable<object | undefined>
  /** Writes related tables after the row itself. */
  afterSave?: (tx: WriteContext, id: string, save: Save<R, Input>) => Promise<void>
  /** The error for a violated unique index or foreign key, by the name of the constraint. */
  constraintErrors?: Readonly<Record<string, () => Error>>
  /** The text that no two live records share, ignoring case and surrounding spaces; with `within`, no two with the same value there. */
  uniqueName?: { column: keyof R & string; within?: keyof R & string }
  /** The stored values as a save would send them; the answer to a stale save has only these fields. */
  comparable?: (record: R) => object
  /** Checks and related writes before records are trashed, restored or permanently deleted. */
  beforeTrash?: (tx: WriteContext, records: readonly R[], deletedAt: Date) => Promise<void>
  beforeRestore?: (tx: WriteContext, records: readonly R[]) => Promise<void>
  beforeDestroy?: (tx: WriteContext, records: readonly R[]) => Promise<void>
  /** The activity lines of an event; "{user} changed this company" and the like without it or its answer. */
  describe?: (event: RecordEvent<R, Input>) => readonly ActivityText[] | undefined
}

/** "company", as in "The company was saved." */
export const nounOf = ({ list }: { list: Datatable }): string => MODELS[list.model].one

/** A model with list, form, panel, trash and search; declared by `defineRecord`, served by `recordHandlers`. */
export interface RecordModel<
  R extends StoredRecord,
  Input extends object,
  Output extends object = object,
  Rules extends RecordRules = RecordRules,
> extends StoredModel<R, Input, Rules> {
  /** The record's own fields on the wire; the engine adds those of `RecordBase` and the output schema strips all others. */
  present: (ctx: Context, record: R) => Awaitable<Output>
  /**
   * A text that is cheaper to read than the record and changes with everything that `present` shows to this viewer; undefined if the viewer
   * does not see the record. Answers 304 without reading the record.
   */
  versionOf?: (ctx: Context, id: string) => Promise<string | undefined>
  /** Whether the viewer does not see when the record was created and changed, and how often. */
  hidesHistory?: (viewer: Viewer) => boolean
  search: SearchedBy
  /** Sections of the form; without a record, of a new one with these presets. */
  form: (ctx: Context, record: R | undefined, presets: Record<string, unknown>) => Awaitable<z.input<typeof Form>['sections']>
  /** Titles of the form; "New company" and "Edit company" unless given. */
  formTitles?: { create: string; edit: string }
  /** The message of a successful create; "The company was created." unless given. */
  created?: (input: Input) => string
}

/** The calls that `recordHandlers` serves: those of `recordCalls`, possibly with other permissions or schemas. */
export interface RecordCalls extends Calls {
  index: Call
  show: Call
  create: Call
  update: Call
}

/** The fields of `RecordBase`, which the engine presents. */
type Head = 'id' | 'version' | 'created_at' | 'updated_at' | 'deleted_at' | 'accessible_features'
type InputOf<C extends RecordCalls> = BodyOf<C['create']> & object

/** Declares a model; `calls` only gives the types of input and output. See "Recipes" in docs/ARCHITECTURE.md. */
export const defineRecord = <C extends RecordCalls, T extends TableName, R extends StoredRecord, Rules extends RecordRules>(
  _calls: C,
  definition: RecordModel<R, InputOf<C>, Omit<DataIn<C['show']>, Head>, Rules> & {
    table: T
    beforeSave?: (tx: WriteContext, save: Save<R, InputOf<C>>) => Awaitable<Columns<T> | undefined>
  },
): RecordModel<R, InputOf<C>, Omit<DataIn<C['show']>, Head>, Rules> => definition

type CellsOf<R> = { [K in keyof R as Cell extends R[K] ? (R[K] extends Cell ? K : never) : never]: R[K] }

/** The `rows` of a list from the record's own loader, with the rules of each record: `cells` maps a record to its cells. */
export const rowsOf =
  <R extends StoredRecord, Row extends { id: string }>(
    table: string,
    load: (ctx: Context, where: Expression<SqlBool>) => Promise<R[]>,
    rules: (viewer: Viewer, record: R) => RecordRules,
    cells: (record: R, timezone: string) => CellsOf<Row>,
  ) =>
  async (ctx: Context, ids: readonly string[]) =>
    (await load(ctx, idIn(table, ids))).map((record) => ({
      id: record.id,
      deleted_at: record.deleted_at?.toISOString() ?? null,
      accessible_features: rules(ctx.viewer, record),
      ...cells(record, timezoneOf(ctx.viewer)),
    }))

export const idIn = (table: string, ids: readonly string[]): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${table}.id`)} = ANY(${uuids(ids)})`
