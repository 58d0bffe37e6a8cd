import { sql, type Expression, type SqlBool } from 'kysely'
import { COMPANY_NAME_PREFIX_MIN } from '#contract/limits.ts'
import { FALSE, TRUE, seesAllCompanies } from './scope.ts'
import { can, viaOf, type Viewer } from './viewer.ts'

/** The viewer's own company, or all companies with view_all_system_companies. */
export function visibleCompanies(viewer: Viewer, company = 'companies.id'): Expression<SqlBool> {
  if (seesAllCompanies(viewer)) return TRUE
  return viewer.kind === 'user' ? sql<SqlBool>`${sql.ref(company)} = ${viewer.companyId}` : FALSE
}

/**
 * Companies that the viewer finds by name for a broker or carrier: those they see, and others by the beginning of their name. Without
 * the minimum length, an empty search would list the customers of the installation.
 */
export function nameableCompanies(viewer: Viewer, search: string): Expression<SqlBool> {
  if (!revealsNames(viewer, search)) return visibleCompanies(viewer)
  return sql<SqlBool>`((starts_with(lower(companies.name), ${beginning(search)}) AND ${namesOthers(viewer)}) OR ${visibleCompanies(viewer)})`
}

/** Anyone who was invited can become a user of a company of their own, which names no others before it has a subscription. */
const namesOthers = (viewer: Viewer): Expression<SqlBool> =>
  can(viewer, 'create_standard_accounts') || viewer.kind !== 'user'
    ? TRUE
    : sql<SqlBool>`EXISTS (SELECT 1 FROM company_subscriptions x WHERE x.company_id = ${viewer.companyId}
        AND x.created_at + make_interval(months => x.term_months) > now())`

/** Whether the search finds companies that the viewer does not see. */
export const revealsNames = (viewer: Viewer, search: string): boolean =>
  viaOf(viewer) === undefined && !seesAllCompanies(viewer) && beginning(search).length >= COMPANY_NAME_PREFIX_MIN

const beginning = (search: string): string => search.trim().toLowerCase()

export function companyRules(viewer: Viewer, company: { id: string; deleted_at: Date | null }) {
  const own = viewer.kind === 'user' && viewer.companyId === company.id
  return {
    update: company.deleted_at === null && can(viewer, 'update_companies'),
    delete: !own && can(viewer, 'delete_companies'),
  }
}
