import { FLAGGED_MODEL } from '#contract/flags.ts'
import { plural } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { notify, type NewNotification } from '#server/engines/notification/notify.ts'
import { responsibleFor } from '#server/engines/notification/recipients.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { targetOf, type FlagRecord } from './flags.queries.ts'

/** Activity and change of several flags that one command raised, or of one that it changed. `verb` is what the user did. */
export async function publishFlags(tx: WriteContext, flags: readonly FlagRecord[], describe: (what: string) => string): Promise<void> {
  for (const [accountId, group] of Map.groupBy(flags, ({ account_id }) => account_id)) {
    const [first] = group
    if (first === undefined) continue
    const fileIds = group.flatMap(({ file_id }) => file_id ?? [])
    await recordActivity(tx, {
      ...subjectOf(first),
      accountId,
      class: 'flagged',
      message: `{user} ${describe(nameOf(group))}`,
      ...(fileIds.length === 0 ? {} : { fileIds }),
    })
    emit(tx, { model: 'flags', id: group.length === 1 && first.risk_control_id === null ? first.id : null, inAccount: accountId })
  }
}

/** A line about the flag of a report is one about the report: viewers who do not see it do not see the line. */
const subjectOf = ({ id, risk_control_id: report }: FlagRecord) =>
  report === null ? ({ model: 'flags', modelId: id } as const) : ({ model: 'risk_control', modelId: report } as const)

/** "Location 12", or "4 properties". */
function nameOf(flags: readonly FlagRecord[]): string {
  const [first] = flags
  if (first === undefined) return ''
  if (flags.length === 1) return targetOf(first).title
  const { one, many } = MODELS[FLAGGED_MODEL[targetOf(first).type]]
  return plural(flags.length, one, many)
}

const aboutOne = (flag: FlagRecord): Pick<NewNotification, 'subject' | 'child'> => {
  const { type, id } = targetOf(flag)
  const model = FLAGGED_MODEL[type]
  const place = flag.report_property === null ? {} : { property_id: flag.report_property }
  return { subject: { model, id }, child: { model, model_id: id, ...place } }
}

const about = (flags: readonly FlagRecord[]) => {
  const [first] = flags
  return first !== undefined && flags.length === 1 ? aboutOne(first) : { child: { model: 'flags' as const, model_id: null } }
}

/** Notifies the assignee of new flags, or else the user who created the account. */
export async function notifyRaised(tx: WriteContext, flags: readonly FlagRecord[]): Promise<void> {
  for (const [accountId, group] of Map.groupBy(flags, ({ account_id }) => account_id)) {
    const [first] = group
    if (first === undefined) continue
    if (first.assigned_to !== null) await notifyAssigned(tx, group)
    else {
      const { owner } = await responsibleFor(tx.db, accountId)
      const message = `${viewerName(tx.viewer)} flagged ${nameOf(group)} of ${first.account_name}: ${first.message}`
      await notify(tx, [owner], { kind: 'property_flagged', accountId, message, ...about(group) })
    }
  }
}

export async function notifyAssigned(tx: WriteContext, flags: readonly FlagRecord[]): Promise<void> {
  const [first] = flags
  if (first === undefined) return
  const what = `${flags.length === 1 ? 'the flag' : 'the flags'} on ${nameOf(flags)}`
  const message = `${viewerName(tx.viewer)} assigned ${what} of ${first.account_name} to you: ${first.message}`
  await notify(tx, [first.assigned_to], { kind: 'flag_assigned', accountId: first.account_id, message, ...about(flags) })
}

/** One notification for each user who raised some of these flags, account and kind of records. */
export async function notifyClosed(tx: WriteContext, flags: readonly FlagRecord[]): Promise<void> {
  const groups = Map.groupBy(flags, (flag) => `${flag.raised_by} ${flag.account_id} ${targetOf(flag).type}`)
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined) continue
    const what = `${group.length === 1 ? 'flag' : 'flags'} on ${nameOf(group)} of ${first.account_name}`
    const message = `${viewerName(tx.viewer)} ${first.status} your ${what}: ${first.resolution ?? ''}`
    await notify(tx, [first.raised_by], { kind: 'flag_resolved', accountId: first.account_id, message, ...about(group) })
  }
}
