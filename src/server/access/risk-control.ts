import { sql, type Expression, type SqlBool } from 'kysely'
import { visibleAccounts } from './accounts.ts'
import { propertyInScope } from './link-scope.ts'
import { FALSE, TRUE, seesAllCompanies } from './scope.ts'
import { can, type Viewer } from './viewer.ts'

/** Roles of the market and of guests: they see the reports that were issued. */
const MARKET_ROLES: ReadonlySet<string> = new Set(['carrier', 'upload_only', 'invite_guest', 'share_guest'])

/** Whether a status, named `s` in the query, is the first of its group: a report that has it is a draft. */
export const isDraftStatus = sql<boolean>`NOT EXISTS (SELECT 1 FROM statuses before WHERE before.company_id = s.company_id
  AND before.model_type = s.model_type AND (before.position, before.name) < (s.position, s.name))`

/**
 * Drafts are hidden from carriers and guests, except those that their own company wrote. A user counts as one of the carrier by role, or
 * by a company that is the carrier of the account and not its owner.
 */
function visibleDrafts(viewer: Viewer, reports: string): Expression<SqlBool> {
  if (seesAllCompanies(viewer)) return TRUE
  if (viewer.kind !== 'user') return FALSE
  const own = sql<SqlBool>`${sql.ref(`${reports}.author_company_id`)} IS NOT DISTINCT FROM ${viewer.companyId}::uuid`
  if (viewer.roles.every(({ name }) => MARKET_ROLES.has(name))) return own
  return sql<SqlBool>`(${own} OR NOT EXISTS (SELECT 1 FROM accounts market WHERE market.id = ${sql.ref(`${reports}.account_id`)}
    AND market.carrier_company_id = ${viewer.companyId} AND market.company_id <> ${viewer.companyId}))`
}

/** Reports that a viewer can see: the only condition for lists, counts, search and activity lines. Those of a trashed property are hidden with it. */
export function visibleRiskControl(viewer: Viewer, reports = 'risk_control'): Expression<SqlBool> {
  if (!can(viewer, 'view_risk_control')) return FALSE
  return sql<SqlBool>`(${visibleAccounts(viewer, `${reports}.account_id`, 'live')}
    AND EXISTS (SELECT 1 FROM account_properties held WHERE held.id = ${sql.ref(`${reports}.property_id`)} AND held.deleted_at IS NULL) AND ${propertyInScope(viewer, `${reports}.property_id`)}
    AND (${visibleDrafts(viewer, reports)} OR EXISTS (SELECT 1 FROM statuses s
      WHERE s.id = ${sql.ref(`${reports}.status_id`)} AND NOT ${isDraftStatus})))`
}

export function riskControlRules(viewer: Viewer, report: { deleted_at: Date | null }) {
  const live = report.deleted_at === null
  return {
    update: live && can(viewer, 'update_risk_control'),
    delete: can(viewer, 'delete_risk_control'),
    respond: live && can(viewer, 'respond_risk_control'),
  }
}
