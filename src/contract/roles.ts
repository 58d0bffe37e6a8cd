import { z } from 'zod'
import { Cell, RowBase } from './datatable.ts'
import { isPermission } from './permissions.ts'
import { RecordBase, recordCalls, updateOf } from './record.ts'
import { Id, orNull, text } from './route.ts'
import { searchCall } from './search.ts'

export const RoleRow = RowBase.extend({ label: Cell, name: Cell, company: Cell, users: Cell, permissions: Cell, created_at: Cell })
export type RoleRow = z.output<typeof RoleRow>

export const Role = RecordBase.extend({
  name: z.string(),
  label: z.string(),
  /** Null for a role of the system, which all companies can use. */
  company: z.object({ id: Id, name: z.string() }).nullable(),
  permissions: z.array(z.string()),
  users: z.number(),
  /** Those with users of the role. */
  companies: z.array(z.object({ id: Id, name: z.string() })),
})
export type Role = z.output<typeof Role>

export const RoleInput = z.strictObject({
  label: text(60).min(1, 'Enter a name.'),
  company_id: orNull(Id).optional(),
  permissions: z
    .array(z.string())
    .min(1, 'Choose at least one permission.')
    .refine((names) => names.every(isPermission), 'One of these permissions does not exist.'),
})

export const roleCalls = {
  ...recordCalls('roles', { row: RoleRow, record: Role, input: RoleInput, update: updateOf(RoleInput) }),
  /** Needs less than the list, because users without the list search for the roles that they give. */
  search: searchCall('roles', 'view_users_component'),
}
