import { sql, type Expression, type SqlBool } from 'kysely'
import type { Property } from '#contract/account-properties.ts'
import { SEVERITIES } from '#contract/checks.ts'
import { seesDiscrepancies } from '#server/access/discrepancies.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import type { Context } from '#server/engines/context.ts'

/** The number of documents linked to a property that this viewer sees. */
export const documentCount = (ctx: Context) => sql<number>`(SELECT count(*) FROM account_file_properties l
  JOIN account_files ON account_files.id = l.file_id AND account_files.deleted_at IS NULL
  WHERE l.property_id = account_properties.id AND ${visibleFiles(ctx.viewer)})`

export const loadProperties = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('account_properties')
    .innerJoin('accounts', 'accounts.id', 'account_properties.account_id')
    .selectAll('account_properties')
    .select('accounts.name as account_name')
    .select([documentCount(ctx).as('documents'), openFindings(ctx).as('findings')])
    .where(where)
    .orderBy('account_properties.id')
    .execute()

export type PropertyRecord = Awaited<ReturnType<typeof loadProperties>>[number]

type OpenFinding = NonNullable<Property['findings']>[number] & { widespread: boolean }

/** The open findings of a property, worst first; null for viewers who cannot see them. */
export const openFindings = ({ viewer }: Context) =>
  seesDiscrepancies(viewer)
    ? sql<OpenFinding[] | null>`coalesce((
  SELECT jsonb_agg(jsonb_build_object('id', d.id, 'check_id', d.check_id, 'field', d.field, 'severity', d.severity, 'message', d.message,
      'widespread', d.widespread)
      ORDER BY array_position(${SEVERITIES}::text[], d.severity) DESC, d.check_id)
    FROM discrepancies d WHERE d.property_id = account_properties.id AND d.status = 'open'), '[]')`
    : sql<OpenFinding[] | null>`NULL::jsonb`
