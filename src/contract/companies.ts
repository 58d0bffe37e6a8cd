import { z } from 'zod'
import { Cell, RowBase, listCalls, trashCalls } from './datatable.ts'
import { Form } from './form.ts'
import { ById, Id, json, text, type Call } from './route.ts'

export const TIMEZONES = [
  'America/Adak',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'Atlantic/Bermuda',
] as const
export const LANGUAGES = { en: 'English' } as const

export const CompanyRow = RowBase.extend({
  name: Cell,
  users: Cell,
  accounts: Cell,
  subscriptions: Cell,
  timezone: Cell,
  created_at: Cell,
  updated_at: Cell,
})
export type CompanyRow = z.output<typeof CompanyRow>

export const Company = z.object({
  id: Id,
  name: z.string(),
  language: z.string(),
  timezone: z.string(),
  logo_url: z.string().nullable(),
  subscriptions: z.array(z.object({ id: Id, name: z.string() })),
  users: z.number(),
  accounts: z.number(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullable(),
  accessible_features: z.object({ update: z.boolean(), delete: z.boolean() }),
})
export type Company = z.output<typeof Company>

const Language = z.enum(['en'])
const Timezone = z.enum(TIMEZONES, 'Please choose one of the time zones.')

export const CompanyInput = z.strictObject({
  name: text(120).min(1, 'Please enter a company name.'),
  language: Language.default('en'),
  timezone: Timezone.default('America/New_York'),
  subscription_id: z.union([Id, z.literal('').transform(() => null), z.null()]).optional(),
})
/** Without the defaults, which would stand in for what was not sent. */
export const CompanyUpdate = CompanyInput.extend({ language: Language, timezone: Timezone })
  .partial()
  .extend({ version: z.number().int().optional() })

export const companyCalls = {
  ...listCalls('companies', 'view_companies_component', CompanyRow),
  ...trashCalls('companies', 'delete_companies'),
  form: {
    method: 'GET',
    path: '/forms/companies',
    can: 'create_companies',
    summary: 'The form of a new company',
    query: z.looseObject({}),
    output: json(Form),
  },
  editForm: {
    method: 'GET',
    path: '/forms/companies/:id',
    can: 'update_companies',
    summary: 'The form of a company',
    params: ById,
    query: z.looseObject({}),
    output: json(Form),
  },
  show: { method: 'GET', path: '/companies/:id', can: 'view_company_details', summary: 'One company', params: ById, output: json(Company) },
  create: {
    method: 'POST',
    path: '/companies',
    can: 'create_companies',
    summary: 'Add a company',
    body: CompanyInput,
    output: json(Company),
  },
  update: {
    method: 'PUT',
    path: '/companies/:id',
    can: 'update_companies',
    summary: 'Change a company',
    params: ById,
    body: CompanyUpdate,
    output: json(Company),
  },
} as const satisfies Record<string, Call>
