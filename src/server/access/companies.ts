import { sql, type Expression, type SqlBool } from 'kysely'
import { FALSE, TRUE, seesAllCompanies } from './scope.ts'
import { can, type Viewer } from './viewer.ts'

/** The viewer's own company, or all companies with view_all_system_companies. */
export function visibleCompanies(viewer: Viewer, company = 'companies.id'): Expression<SqlBool> {
  if (seesAllCompanies(viewer)) return TRUE
  return viewer.kind === 'user' ? sql<SqlBool>`${sql.ref(company)} = ${viewer.companyId}` : FALSE
}

export function companyRules(viewer: Viewer, company: { id: string; deleted_at: Date | null }) {
  const own = viewer.kind === 'user' && viewer.companyId === company.id
  return {
    update: company.deleted_at === null && can(viewer, 'update_companies'),
    delete: !own && can(viewer, 'delete_companies'),
  }
}
