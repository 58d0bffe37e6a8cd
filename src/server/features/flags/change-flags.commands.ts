import { sql } from 'kysely'
import { FlagUpdate, type FlagStatus } from '#contract/flags.ts'
import { plural } from '#contract/format.ts'
import { uuids } from '#server/access/scope.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { issueText } from '#server/engines/http/issue-text.ts'
import { lockRecords } from '#server/engines/record/save-record.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict } from '#server/kernel/errors.ts'
import { closed, closingText, updateFlag } from './flags.commands.ts'
import { loadFlags, rulesOf, type FlagRecord } from './flags.queries.ts'
import { notifyClosed, publishFlags } from './publish-flags.ts'

const CHANGES = {
  open: { verb: 'reopened', rule: 'reopen', none: 'None of these flags can be reopened.' },
  acknowledged: { verb: 'acknowledged', rule: 'acknowledge', none: 'None of these flags is open and assigned to you.' },
  resolved: { verb: 'resolved', rule: 'close', none: 'These flags are closed already.' },
  dismissed: { verb: 'dismissed', rule: 'close', none: 'These flags are closed already.' },
} as const satisfies Record<FlagStatus, { verb: string; rule: keyof ReturnType<typeof rulesOf>; none: string }>

const Change = FlagUpdate.pick({ status: true, resolution: true }).required({ status: true })

/**
 * Acknowledges, closes or reopens flags. Those of several flags for which this is not possible stay as they are; throws `conflict` if that
 * is all of them.
 */
export async function changeFlags(ctx: Context, ids: readonly string[], input: Record<string, unknown>): Promise<string> {
  const { status, resolution } = Change.parse(input, { error: issueText })
  const { verb } = CHANGES[status]
  const [only, ...others] = ids
  if (only !== undefined && others.length === 0) {
    await updateFlag(ctx, only, { status, resolution })
    return `1 flag ${verb}.`
  }
  const count = await transact(ctx, (tx) => changeAll(tx, ids, status, resolution))
  return `${plural(count, 'flag')} ${verb}.`
}

async function changeAll(tx: WriteContext, ids: readonly string[], status: FlagStatus, resolution: string | undefined): Promise<number> {
  const { verb, rule, none } = CHANGES[status]
  const reason = closingText(status, resolution)
  await lockRecords(tx, 'flags', ids)
  const changing = (await loadFlags(tx, ids)).filter((flag) => rulesOf(tx, flag)[rule]).map(({ id }) => id)
  if (changing.length === 0) throw conflict(none)
  await tx.db
    .updateTable('flags')
    .set({ status, version: sql`version + 1`, updated_at: tx.clock.now() })
    .$if(status !== 'acknowledged', (query) => query.set(closed(tx, reason)))
    .where(sql<boolean>`id = ANY(${uuids(changing)})`)
    .execute()
  const changed = await loadFlags(tx, changing)
  for (const group of Map.groupBy(changed, kindOf).values())
    await publishFlags(tx, group, (what) => `${verb} ${group.length === 1 ? 'the flag' : 'the flags'} on ${what}${suffix(reason)}`)
  if (reason !== undefined) await notifyClosed(tx, changed)
  return changed.length
}

const suffix = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`)

/** Flags that share a line of activity. Each report has its own, because a viewer may see only some of the reports. */
const kindOf = ({ property_id, file_id, risk_control_id }: FlagRecord): string =>
  property_id !== null ? 'properties' : file_id !== null ? 'documents' : (risk_control_id ?? '')
