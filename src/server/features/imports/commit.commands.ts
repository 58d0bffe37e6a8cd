import { plural } from '#contract/format.ts'
import { SPLIT_TARGETS, type ImportCommit } from '#contract/import-inputs.ts'
import { isPropertyField } from '#contract/account-properties.ts'
import { propertyField } from '#contract/property-fields.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict } from '#server/kernel/errors.ts'
import {
  assertAnswered,
  changedMeanwhile,
  changedProperties,
  requestNewPreview,
  writeImport,
} from '#server/features/imports/commit/write-import.ts'
import { commitImportJob } from './commit.job.ts'
import { columnState } from './import-history.presenter.ts'
import { changeImport, findImport, isRegisterChanged, loadImport, type ImportRecord } from './imports.queries.ts'
import { chosenRemovals, otherIds } from './register.queries.ts'

/** More rows are written by a job, which reports its progress. */
const SYNCHRONOUS_ROWS = 1_000

/**
 * Writes the preview to the register. Does nothing if the import is already committed.
 * @throws AppError conflict when the preview is not ready or out of date, a question is unanswered, a column is
 * not confirmed, a chosen removal is of no property of the account, or there is nothing to change
 */
export async function commitImport(
  ctx: Context,
  id: string,
  { version, removals: choice, confirmed }: ImportCommit,
): Promise<ImportRecord> {
  const record = await findImport(ctx, id)
  if (record.state === 'committed' || record.activity === 'committing') return record
  if (record.state === 'cancelled') throw changedMeanwhile(record)
  if (record.state !== 'validated' || record.activity !== null)
    throw conflict('The preview is not ready yet. Please wait until the rows are checked.')
  if (record.version !== version) throw conflict('This import has changed meanwhile. Please review the new preview.')
  assertRows(record)
  assertAnswered(record)
  assertConfirmed(record, confirmed)
  await assertInAccount(ctx, record, choice)
  const removals = 'all_except' in choice ? await chosenRemovals(ctx, record, choice) : choice
  const { add = 0, change = 0 } = record.counts.tabs
  const total = add + change + removals.length
  if (total === 0) throw conflict('There is nothing to import: no row adds or changes a property.')
  if (total <= SYNCHRONOUS_ROWS) await writeImport(ctx, id, removals, (current) => current.version === version)
  else await enqueueCommit(ctx, record, total, removals)
  return loadImport(ctx.db, id)
}

/**
 * A property may have been deleted since its checkbox was changed, and a client that names a property of another account means something
 * else: nothing is written, and the client learns which ones to leave out.
 */
async function assertInAccount(ctx: Context, record: ImportRecord, choice: ImportCommit['removals']): Promise<void> {
  const ids = [...new Set('all_except' in choice ? [...choice.all_except, ...choice.also] : choice)]
  const gone = ids.length === 0 ? [] : await otherIds(ctx, record.account_id, ids)
  if (gone.length === 0) return
  const isChanged = await isRegisterChanged(ctx.db, record)
  const moved = isChanged ? await changedProperties(ctx.db, record) : []
  if (isChanged) await requestNewPreview(ctx, record.id)
  const [are, them] = gone.length === 1 ? ['is', 'it is'] : ['are', 'they are']
  const chosen = plural(gone.length, 'property', 'properties')
  throw conflict(`${chosen} whose removal you chose ${are} no longer in this account, so ${them} left out. Please import again.`, {
    gone,
    moved,
  })
}

const COLUMNS_NAMED = 3

/** The mapping of a written import is used for the next ones without a question, so a person must have confirmed every proposal. */
function assertConfirmed({ columns, mapping }: ImportRecord, confirmed: readonly string[]): void {
  const open = columns.flatMap((column) => {
    const { column: letter, header } = column
    const field = mapping[letter]
    return columnState(column, field) === 'confirm' && !confirmed.includes(letter) ? [{ letter, header, field }] : []
  })
  if (open.length === 0) return
  const named = open.slice(0, COLUMNS_NAMED).map(({ letter, header, field = '' }) => `${letter}, “${header}”, as ${fieldLabel(field)}`)
  const more = open.length > COLUMNS_NAMED ? `; and ${plural(open.length - COLUMNS_NAMED, 'more column')}` : ''
  throw conflict(`Please confirm what these columns contain: ${named.join('; ')}${more}.`, { columns: open })
}

const SPLIT_LABELS = new Map(Object.entries(SPLIT_TARGETS).map(([target, { label }]) => [target, label]))

const fieldLabel = (field: string): string => (isPropertyField(field) ? propertyField(field).label : (SPLIT_LABELS.get(field) ?? field))

/** A file or sheet without a schedule lists no property, which does not mean that there are none. */
function assertRows({ mode, counts: { tabs } }: ImportRecord): void {
  const { add = 0, change = 0, unchanged = 0 } = tabs
  if (mode === 'full_replacement' && add + change + unchanged === 0)
    throw conflict(
      'No row of this file can be imported, so it cannot replace the properties of the account. Choose another file, sheet or header row.',
    )
}

async function enqueueCommit(ctx: Context, record: ImportRecord, total: number, removals: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const committing = { activity: 'committing', failure: null, progress_done: 0, progress_total: total } as const
    const { numUpdatedRows } = await changeImport(tx.db, record.id, committing)
      .where('version', '=', record.version)
      .where('state', '=', 'validated')
      .where('activity', 'is', null)
      .executeTakeFirst()
    const input = { importId: record.id, userId: viewerId(tx.viewer), removals: [...removals] }
    if (numUpdatedRows === 1n) return enqueue(tx, commitImportJob, input, { singletonKey: record.id })
    const current = await loadImport(tx.db, record.id)
    if (current.state !== 'committed' && current.activity !== 'committing') throw changedMeanwhile(current)
  })
}
