import type { User, UserRow } from '#contract/users.ts'
import { userRules } from '#server/access/users.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { dateCell, textCell } from '#server/engines/datatable/cells.ts'
import type { UserRecord } from './users.queries.ts'

const fullName = (record: UserRecord): string => record.full_name ?? `${record.first_name} ${record.last_name}`

export const presentUser = (viewer: Viewer, record: UserRecord): User => ({
  id: record.id,
  first_name: record.first_name,
  last_name: record.last_name,
  full_name: fullName(record),
  email: record.email,
  cell_phone: record.cell_phone,
  enable_2fa: record.enable_2fa,
  company: { id: record.company_id, name: record.company_name },
  roles: record.roles,
  last_login_at: record.last_login_at?.toISOString() ?? null,
  version: record.version,
  created_at: record.created_at.toISOString(),
  deleted_at: record.deleted_at?.toISOString() ?? null,
  accessible_features: userRules(viewer, record),
})

export const presentUserRow = (record: UserRecord, timezone: string): UserRow => ({
  id: record.id,
  deleted_at: record.deleted_at?.toISOString() ?? null,
  is_new: false,
  name: textCell(fullName(record)),
  email: textCell(record.email),
  company: textCell(record.company_name),
  roles: textCell(record.roles.map(({ label }) => label).join(', ')),
  last_login_at: dateCell(record.last_login_at, timezone),
  created_at: dateCell(record.created_at, timezone),
})
