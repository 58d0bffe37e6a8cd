import { z } from 'zod'
import { Cell, RowBase, listCalls, trashCalls } from './datatable.ts'
import { Form } from './form.ts'
import { NewPassword } from './session.ts'
import { ById, Id, json, text, type Call } from './route.ts'

export const UserRow = RowBase.extend({ name: Cell, email: Cell, company: Cell, roles: Cell, last_login_at: Cell, created_at: Cell })
export type UserRow = z.output<typeof UserRow>

export const User = z.object({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  cell_phone: z.string().nullable(),
  enable_2fa: z.boolean(),
  company: z.object({ id: Id, name: z.string() }),
  roles: z.array(z.object({ id: Id, name: z.string(), label: z.string() })),
  last_login_at: z.string().nullable(),
  version: z.number(),
  created_at: z.string(),
  deleted_at: z.string().nullable(),
  accessible_features: z.object({ update: z.boolean(), delete: z.boolean() }),
})
export type User = z.output<typeof User>

export const UserInput = z.strictObject({
  first_name: text(60).min(1, 'Please enter a first name.'),
  last_name: text(60).min(1, 'Please enter a last name.'),
  email: z.email('Please enter a valid email address.').trim().max(254),
  cell_phone: text(30).nullish(),
  company_id: Id,
  roles: z.array(Id).min(1, 'Please choose at least one role.').max(20),
  enable_2fa: z.boolean().default(false),
  /** Without one the welcome mail carries a link to set it (decisions Part D). */
  password: z.union([z.literal('').transform(() => undefined), NewPassword]).optional(),
})
/** A default would stand in for what was not sent: two-factor sign-in would go off with every other change. */
export const UserUpdate = UserInput.extend({ enable_2fa: z.boolean() }).partial().extend({ version: z.number().int().optional() })

export const userCalls = {
  ...listCalls('users', 'view_users_component', UserRow),
  ...trashCalls('users', 'delete_users'),
  form: {
    method: 'GET',
    path: '/forms/users',
    can: 'create_users',
    summary: 'The form of a new user',
    query: z.looseObject({}),
    output: json(Form),
  },
  editForm: {
    method: 'GET',
    path: '/forms/users/:id',
    can: 'update_users',
    summary: 'The form of a user',
    params: ById,
    query: z.looseObject({}),
    output: json(Form),
  },
  show: { method: 'GET', path: '/users/:id', can: 'view_users_component', summary: 'One user', params: ById, output: json(User) },
  create: { method: 'POST', path: '/users', can: 'create_users', summary: 'Add a user', body: UserInput, output: json(User) },
  update: {
    method: 'PUT',
    path: '/users/:id',
    can: 'update_users',
    summary: 'Change a user',
    params: ById,
    body: UserUpdate,
    output: json(User),
  },
} as const satisfies Record<string, Call>
