import { sql } from 'kysely'
import { formatNumber, plural } from '#contract/format.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { viewerName, type Reader } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, type AppError } from '#server/kernel/errors.ts'
import {
  NEXT_VERSION,
  changeImport,
  loadImport,
  saveProgress,
  type ImportRecord,
  type StoredColumn,
} from '#server/features/imports/imports.queries.ts'
import { currencyConflict } from '#server/features/imports/pipeline/plan/account-currency.ts'
import { isIncludedPart } from '#server/features/imports/pipeline/plan/included-parts.ts'
import { learnedKeys } from '#server/features/imports/pipeline/read/learned-keys.ts'
import { namesValue } from '#server/features/imports/pipeline/read/value-names.ts'
import { prepareImportJob } from '#server/features/imports/prepare.job.ts'
import { publishRegisterChange } from '#server/features/imports/publish-outcome.ts'
import { fullAddressSql, registerSum } from '#server/features/imports/register.queries.ts'
import { withImportLock } from '#server/features/imports/staging/import-lock.ts'
import { discloseSchedule } from './show-schedule.ts'
import { addProperties, changedRows, changeProperties, divestProperties, releaseNumbers, type ImportWrite } from './write-properties.ts'

const STEP_ROWS = 1_000

/**
 * Writes the preview of an import in one transaction: properties, history, mapping, notifications and reconciliation. Does nothing if
 * the import is already committed.
 * @param isWanted whether the import is still the one that the user committed
 * @throws AppError conflict when the import was canceled or changed, a question is unanswered, or the register changed since the preview;
 * then a new preview is requested first
 */
export async function writeImport(
  ctx: Context,
  importId: string,
  removals: readonly string[],
  isWanted: (record: ImportRecord) => boolean = () => true,
): Promise<void> {
  const moved = await withImportLock(ctx, importId, async () => {
    const record = await loadImport(ctx.db, importId)
    if (record.state === 'committed') return undefined
    if (record.state !== 'validated' || !isWanted(record)) throw changedMeanwhile(record)
    assertAnswered(record)
    return transact(ctx, (tx) => writeRegister(tx, ctx, record, removals)).catch((error: unknown) => {
      if (!isUsedNumber(error)) throw error
      if (removals.length < (record.counts.tabs.remove ?? 0)) throw conflict(NUMBER_NOT_REMOVED)
      return []
    })
  })
  if (moved === undefined) return
  await requestNewPreview(ctx, importId)
  throw conflict('The register changed since this preview was made. Please review the new preview before you import.', { moved })
}

/** An unanswered question can change every value, for example by a factor of 1,000. Amounts in several currencies cannot be added up. */
export function assertAnswered({ counts: { questions, tally } }: ImportRecord): void {
  const otherCurrency = currencyConflict(tally, questions)
  if (otherCurrency !== null) throw conflict(otherCurrency)
  const [first, ...others] = questions
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` (and ${plural(others.length, 'more question')})`
  throw conflict(`Please answer first: ${first.message}${more}`, { questions })
}

/** Why an import that was ready a moment ago cannot be written. */
export const changedMeanwhile = ({ state }: ImportRecord): AppError =>
  conflict(
    state === 'cancelled'
      ? 'This import was canceled meanwhile. Nothing was written to the register.'
      : 'This import has changed meanwhile. Please review the new preview.',
  )

const NUMBER_NOT_REMOVED =
  'A row of this file has the location number of a property that you do not remove. Remove that property, too, or give the row another number.'

/** A location number is used by another property: one that is not removed, or one since the preview without a new version of the register. */
export const isUsedNumber = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === 'account_properties_location'

/**
 * @param outside not in the transaction, so that the progress is visible before it ends
 * @returns the properties that changed since the preview, if the register did and nothing was written; otherwise undefined
 */
async function writeRegister(
  tx: WriteContext,
  outside: Context,
  record: ImportRecord,
  removals: readonly string[],
): Promise<ChangedProperty[] | undefined> {
  await requireVisibleAccount(tx.db, tx.viewer, record.account_id)
  const version = await lockRegister(tx, record)
  if (version !== record.register_version) return changedProperties(tx.db, record)
  const write: ImportWrite = { tx, record, by: viewerName(tx.viewer, tx.config.product.name), at: tx.clock.now() }
  const numbers = await rowNumbers(tx, record.id)
  const total = numbers.length + removals.length
  const divested = await divestProperties(write, removals)
  await releaseNumbers(tx, record.account_id, changedRows(record))
  let added = 0
  let changed = 0
  for (let start = 0; start < numbers.length; start += STEP_ROWS) {
    const step = numbers.slice(start, start + STEP_ROWS)
    const [from = 0, to = from] = [step[0], step.at(-1)]
    changed += await changeProperties(write, from, to)
    added += await addProperties(write, from, to)
    if (total > STEP_ROWS) await saveProgress(outside.db, record, start + step.length, total)
  }
  await finish(write, { added, changed, divested })
  return undefined
}

async function rowNumbers(tx: WriteContext, importId: string): Promise<number[]> {
  const { rows } = await sql<{ row_number: number }>`SELECT row_number FROM import_rows
    WHERE import_id = ${importId} AND tab IN ('add', 'change') ORDER BY row_number`.execute(tx.db)
  return rows.map(({ row_number }) => row_number)
}

type Written = Record<'added' | 'changed' | 'divested', number>

async function finish({ tx, record, at }: ImportWrite, { added, changed, divested }: Written): Promise<void> {
  const tabs = { ...record.counts.tabs, add: added, change: changed, remove: divested }
  const counts = { ...record.counts, tabs, tally: {}, styles: null }
  const progress_done = added + changed + divested
  const sums = record.sums && { ...record.sums, after: { ...record.sums.after, ...(await registerSum(tx, record)) } }
  const committed = { state: 'committed', activity: null, failure: null, committed_at: at, progress_done, counts, sums } as const
  // Other connections may have canceled or changed the import since it was read. The condition decides about the whole transaction.
  const { numUpdatedRows } = await changeImport(tx.db, record.id, committed)
    .where('state', '=', 'validated')
    .where('version', '=', record.version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw changedMeanwhile(await loadImport(tx.db, record.id))
  await saveMapping(tx, record)
  await discloseSchedule(tx, record)
  const figures = `${formatNumber(added)} added, ${formatNumber(changed)} changed, ${formatNumber(divested)} divested`
  await publishRegisterChange(tx, record, {
    type: 'properties_imported',
    activity: `{user} imported ${record.file_name}: ${figures}`,
    notification: `${record.file_name} was imported: ${figures}.`,
  })
}

/**
 * Locks the register of an account until the transaction ends, and returns its version. Locks in the order of an edit of one property
 * (property, totals, account), so that an edit and an import cannot deadlock.
 */
export async function lockRegister(tx: WriteContext, { account_id }: ImportRecord): Promise<number> {
  await sql`SELECT id FROM account_properties WHERE account_id = ${account_id} ORDER BY id FOR NO KEY UPDATE`.execute(tx.db)
  await sql`SELECT account_id FROM account_totals WHERE account_id = ${account_id} FOR NO KEY UPDATE`.execute(tx.db)
  const account = tx.db.selectFrom('accounts').select('register_version').where('id', '=', account_id).forNoKeyUpdate()
  return (await account.executeTakeFirstOrThrow()).register_version
}

const CHANGED_SHOWN = 20

/** `fields` are those whose value differs from the one in the preview. */
type ChangedProperty = { full_address: string; fields: string[] }

/** The properties that changed since the preview. Of those that were permanently deleted, the lines of the activity remain. */
export async function changedProperties(db: Reader, record: ImportRecord): Promise<ChangedProperty[]> {
  const since = record.counts.validatedAt ?? record.created_at.toISOString()
  const { rows } = await sql<ChangedProperty>`
    SELECT ${fullAddressSql} AS full_address, coalesce((
        SELECT array_agg(c.key ORDER BY c.key) FROM import_rows r CROSS JOIN LATERAL jsonb_each(r.changes) AS c
          WHERE r.import_id = ${record.id} AND r.property_id = p.id AND c.key NOT LIKE 'custom.%' AND c.value->0 IS DISTINCT FROM to_jsonb(p)->c.key
      ), '{}') AS fields
      FROM account_properties p
      WHERE p.account_id = ${record.account_id} AND (p.updated_at > ${since} OR p.deleted_at > ${since})
      ORDER BY p.updated_at DESC LIMIT ${CHANGED_SHOWN}`.execute(db)
  const { rows: deleted } = await sql<{ message: string }>`SELECT DISTINCT ON (a.model_id) a.message FROM activities a
      WHERE a.account_id = ${record.account_id} AND a.model = 'account_properties' AND a.class = 'deleted' AND a.created_at > ${since}
        AND NOT EXISTS (SELECT FROM account_properties p WHERE p.id = a.model_id)
      ORDER BY a.model_id, a.created_at DESC LIMIT ${CHANGED_SHOWN}`.execute(db)
  return [...rows, ...deleted.map(({ message }) => ({ full_address: message, fields: [] }))]
}

const RELATIVE_NOTES: ReadonlySet<StoredColumn['note']> = new Set(['limit', 'older_year', 'other_table'])

/** Saves the mapping for the next imports of the company: committing an import confirms it. */
async function saveMapping(
  tx: WriteContext,
  { account_id, columns, mapping, constants, counts, storage_key }: ImportRecord,
): Promise<void> {
  if (storage_key === null) return
  // That a total is the building value is true of one file only.
  const isTotal = (field: string) => field === 'building_value' && constants['tiv_column'] === 'building_value'
  const isLearned = (field: string | undefined) => field !== undefined && !isTotal(field)
  const keys = learnedKeys(columns.map(({ header }) => header))
  // A column is left out for a better one of the same file, which the next file may not have. The amounts of the next one are others.
  const isAmounts = ({ column, header }: StoredColumn) => namesValue(header) || counts.unmappedMoney.some(({ letter }) => letter === column)
  const isRelative = (one: StoredColumn) =>
    (mapping[one.column] === 'ignore' && (RELATIVE_NOTES.has(one.note) || isIncludedPart(constants, one.target) || isAmounts(one))) ||
    (mapping[one.column] === 'custom' && isAmounts(one))
  // Nothing shows that the field of a column without a value is right.
  const isUnproven = (one: StoredColumn) => one.filled === 0 || isRelative(one)
  const named = columns.map((column, index) => [keys[index] ?? '', isUnproven(column) ? undefined : mapping[column.column]] as const)
  const fields = Object.fromEntries(named.filter(([words, field]) => words !== '' && isLearned(field)))
  await sql`INSERT INTO import_mappings (company_id, header, field)
    SELECT a.company_id, m.header, m.field FROM accounts a CROSS JOIN jsonb_each_text(${JSON.stringify(fields)}::jsonb) AS m (header, field)
      WHERE a.id = ${account_id} ORDER BY m.header
    ON CONFLICT (company_id, header) DO UPDATE SET field = excluded.field, used_at = now()`.execute(tx.db)
}

export async function requestNewPreview(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const outdated = { state: 'mapped', activity: 'validating', progress_done: 0 } as const
    await changeImport(tx.db, id, outdated).set(NEXT_VERSION).where('state', '=', 'validated').execute()
    await enqueue(tx, prepareImportJob, { importId: id }, { singletonKey: id })
  })
}
