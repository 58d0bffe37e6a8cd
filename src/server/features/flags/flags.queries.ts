import { sql, type Expression, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { isCheckId } from '#contract/checks.ts'
import type { Flag, FlagGroups, FlaggableType } from '#contract/flags.ts'
import { propertyTitle } from '#contract/property-format.ts'
import { flagRules, isAutomaticFlag, isOpenFlag, visibleFlags } from '#server/access/flags.ts'
import type { Context } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { notFound } from '#server/kernel/errors.ts'

/** Flags that the viewer sees, each with its record and the names of its users. */
const selectFlags = ({ db, viewer }: Context, where: Expression<SqlBool>) =>
  db
    .selectFrom('flags')
    .innerJoin('accounts as a', 'a.id', 'flags.account_id')
    .leftJoin('account_properties as p', 'p.id', 'flags.property_id')
    .leftJoin('account_files as f', 'f.id', 'flags.file_id')
    .leftJoin('risk_control as rc', 'rc.id', 'flags.risk_control_id')
    .leftJoin('users as assignee', 'assignee.id', 'flags.assigned_to')
    .leftJoin('users as raiser', 'raiser.id', 'flags.raised_by')
    .leftJoin('users as closer', 'closer.id', 'flags.closed_by')
    .selectAll('flags')
    .select(['a.name as account_name', 'p.location_number', 'p.building_number', 'p.address', 'p.city', 'p.status as property_status'])
    .select(sql<string | null>`coalesce(f.vanity_name, f.original_file_name)`.as('file_name'))
    .select(['rc.report_number', 'rc.title as report_title', 'rc.property_id as report_property'])
    .select(['assignee.full_name as assignee_name', 'raiser.full_name as raiser_name', 'closer.full_name as closer_name'])
    .where(where)
    .where(visibleFlags(viewer))

export const loadFlags = (ctx: Context, ids: readonly string[]) => selectFlags(ctx, idIn('flags', ids)).execute()
export type FlagRecord = Awaited<ReturnType<typeof loadFlags>>[number]

export async function findFlag(ctx: Context, id: string): Promise<FlagRecord> {
  const [record] = await loadFlags(ctx, [id])
  if (record === undefined) throw notFound('Flag')
  return record
}

type Group = FlagGroups['groups'][number]

/**
 * How many open automatic flags the viewer sees, in total and for each check, the most frequent first. Without a group: flags from before
 * flags stored their checks whose discrepancies are decided, which the next run of the checks closes.
 */
export async function flagGroups({ db, viewer }: Context): Promise<FlagGroups> {
  const { rows } = await sql<{ reason: Group['reason'] | null; check: string | null; count: number }>`
    WITH open AS (SELECT flags.id, flags.reason, flags.checks FROM flags
      WHERE ${isAutomaticFlag()} AND ${isOpenFlag()} AND ${visibleFlags(viewer)})
    SELECT NULL AS reason, NULL AS check, count(*)::int AS count FROM open
    UNION ALL SELECT reason, c.id, count(*)::int FROM open LEFT JOIN LATERAL unnest(checks) AS c (id) ON true GROUP BY reason, c.id
    ORDER BY count DESC, reason, "check"`.execute(db)
  const groups = rows.flatMap(({ reason, check, count }): Group[] => {
    if (reason === null) return []
    if (check === null) return reason === 'critical_discrepancy' ? [] : [{ reason, check, count }]
    return isCheckId(check) ? [{ reason, check, count }] : []
  })
  return { total: rows.find(({ reason }) => reason === null)?.count ?? 0, groups }
}

interface Target {
  type: FlaggableType
  id: string
  /** The name of the flagged record. */
  title: string
}

export function targetOf({ property_id, file_id, risk_control_id, ...record }: FlagRecord): Target {
  if (property_id !== null)
    return {
      type: 'account_property',
      id: property_id,
      title: propertyTitle({ ...record, address: record.address ?? '', city: record.city ?? '' }),
    }
  if (file_id !== null) return { type: 'account_file', id: file_id, title: record.file_name ?? '' }
  return { type: 'risk_control', id: risk_control_id ?? '', title: `${record.report_number ?? ''} · ${record.report_title ?? ''}` }
}

const person = (id: string | null, name: string | null) => (id === null || name === null ? null : { id, full_name: name })

export const rulesOf = ({ viewer, clock }: Context, record: FlagRecord) =>
  flagRules(viewer, { ...record, is_active: record.property_id === null || record.property_status === 'active' }, clock.now())

export const presentFlag = (ctx: Context, record: FlagRecord, target = targetOf(record)): z.input<typeof Flag> => ({
  id: record.id,
  version: record.version,
  account_id: record.account_id,
  flaggable_type: target.type,
  flaggable_id: target.id,
  property_id: record.property_id ?? record.report_property,
  account_name: record.account_name,
  title: target.title,
  source: record.source === 'system' ? 'system' : 'user',
  reason: record.reason as Flag['reason'], // written by the commands of this feature
  message: record.message,
  priority: record.priority === 'high' ? 'high' : 'normal',
  status: record.status as Flag['status'], // checked by the table
  assigned_to: person(record.assigned_to, record.assignee_name),
  due_on: record.due_on,
  raised_by: person(record.raised_by, record.raiser_name),
  raised_at: record.created_at.toISOString(),
  closed_by: person(record.closed_by, record.closer_name),
  closed_at: record.closed_at?.toISOString() ?? null,
  resolution: record.resolution,
  accessible_features: rulesOf(ctx, record),
})
