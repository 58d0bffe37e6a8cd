import { z } from 'zod'
import { SEARCH_GROUP_SIZE, SEARCH_MAX_CHARACTERS } from './limits.ts'
import { Id, Whole, json, text, type Call } from './route.ts'

/** A found record, as global search and search fields show it. */
export const Found = z.object({ id: Id, name: z.string(), detail: z.string(), account_id: z.string().nullable() })
export type Found = z.output<typeof Found>

const Query = z.strictObject({
  search: text(SEARCH_MAX_CHARACTERS).default(''),
  paginate: Whole(1, 100).default(SEARCH_GROUP_SIZE),
  filter__account_id: Id.optional(),
})
const search = <const P extends string, const C extends Call['can']>(model: P, can: C) =>
  ({
    method: 'GET',
    path: `/${model}/search`,
    can,
    summary: `Find ${model}; nothing found answers 404`,
    query: Query,
    output: json(z.array(Found)),
  }) as const

export const searchCalls = {
  accounts: search('accounts', 'view_accounts_component'),
  properties: search('account_properties', 'view_account_properties'),
  companies: search('companies', 'view_company_details'),
  users: search('users', 'view_users_component'),
  roles: search('roles', 'view_users_component'),
  subscriptions: search('subscriptions', 'view_subscriptions'),
} as const satisfies Record<string, Call>
