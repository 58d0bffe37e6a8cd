import { plural } from '#contract/format.ts'
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
  if (first !== undefined && flags.length === 1) return targetOf(first).title
  return first?.file_id === null ? plural(flags.length, 'property', 'properties') : plural(flags.length, 'document')
}

const MODEL_OF = { account_property: 'account_properties', account_file: 'account_files', risk_control: 'risk_control' } as const

const aboutOne = (flag: FlagRecord): Pick<NewNotification, 'subject' | 'child'> => {
  const { type, id } = targetOf(flag)
  const model = MODEL_OF[type]
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

export const notifyClosed = (tx: WriteContext, flag: FlagRecord): Promise<void> =>
  notify(tx, [flag.raised_by], {
    kind: 'flag_resolved',
    accountId: flag.account_id,
    message: `${viewerName(tx.viewer)} ${flag.status} your flag on ${targetOf(flag).title} of ${flag.account_name}: ${flag.resolution ?? ''}`,
    ...aboutOne(flag),
  })
