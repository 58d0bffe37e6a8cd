import { sql, type Expression, type Selectable, type SqlBool } from 'kysely'
import type { AccountProperties } from '#server/db/schema.gen.ts'
import { seesDiscrepancies } from '#server/access/discrepancies.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import type { Context } from '#server/engines/context.ts'

export type PropertyRecord = Selectable<AccountProperties> & { account_name: string; documents: number }

export interface OpenFinding {
  id: string
  property_id: string
  check_id: string
  field: string | null
  severity: 'critical' | 'warning' | 'info'
  message: string
}

/** The number of documents linked to a property that this viewer sees. */
export const documentCount = (ctx: Context) => sql<number>`(SELECT count(*) FROM account_file_properties l
  JOIN account_files ON account_files.id = l.file_id AND account_files.deleted_at IS NULL
  WHERE l.property_id = account_properties.id AND ${visibleFiles(ctx.viewer)})`

export const loadProperties = (ctx: Context, where: Expression<SqlBool>): Promise<PropertyRecord[]> =>
  ctx.db
    .selectFrom('account_properties')
    .innerJoin('accounts', 'accounts.id', 'account_properties.account_id')
    .selectAll('account_properties')
    .select('accounts.name as account_name')
    .select(documentCount(ctx).as('documents'))
    .where(where)
    .orderBy('account_properties.id')
    .execute()

const WORST_FIRST = sql`CASE severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, check_id`

/** The open findings of the property in the surrounding query, worst first, as JSON; empty for viewers who cannot see them. */
export const openFindingsOf = ({ viewer }: Context) =>
  seesDiscrepancies(viewer)
    ? sql`(SELECT coalesce(jsonb_agg(jsonb_build_object('field', d.field, 'severity', d.severity, 'message', d.message) ORDER BY ${WORST_FIRST}), '[]')
        FROM discrepancies d WHERE d.property_id = account_properties.id AND d.status = 'open')`
    : sql`'[]'::jsonb`

/** Open findings of these properties, worst first; none for viewers who cannot see them. */
export async function openFindings(ctx: Context, ids: readonly string[]): Promise<OpenFinding[]> {
  if (ids.length === 0 || !seesDiscrepancies(ctx.viewer)) return []
  const { rows } = await sql<OpenFinding>`SELECT id, property_id, check_id, field, severity, message FROM discrepancies
    WHERE property_id = ANY(${`{${ids.join(',')}}`}::uuid[]) AND status = 'open'
    ORDER BY ${WORST_FIRST}`.execute(ctx.db)
  return rows
}
