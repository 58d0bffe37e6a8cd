import { z } from 'zod'
import { Cell, RowBase } from './datatable.ts'
import { RecordBase, recordCalls, updateOf } from './record.ts'
import { COMPANY_NAMES_SHOWN } from './limits.ts'
import { Id, Whole, call, json, orNull, text } from './route.ts'
import { Found, SearchQuery } from './search.ts'

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
export const LANGUAGE_LABELS: Readonly<Record<string, string>> = LANGUAGES

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

export const Company = RecordBase.extend({
  name: z.string(),
  language: z.string(),
  timezone: z.string(),
  logo_url: z.string().nullable(),
  subscriptions: z.array(z.object({ id: Id, name: z.string() })),
  users: z.number(),
  accounts: z.number(),
})
export type Company = z.output<typeof Company>

export const CompanyInput = z.strictObject({
  name: text(120).min(1, 'Please enter a company name.'),
  language: z.enum(['en']).default('en'),
  timezone: z.enum(TIMEZONES, 'Please choose one of the time zones.').default('America/New_York'),
  /** '0' means none. */
  subscription_id: z.union([z.literal('0').transform(() => null), orNull(Id)]).optional(),
  logo_url: z
    .string()
    .nullable()
    .refine((url) => url === null || url === '', 'A logo cannot be set yet.')
    .optional(),
})

export const companyCalls = {
  ...recordCalls('companies', { row: CompanyRow, record: Company, input: CompanyInput, update: updateOf(CompanyInput) }),
  names: call('GET', '/companies/names', 'create_accounts', 'Find a company to name as broker or carrier, by the beginning of its name', {
    query: SearchQuery.extend({ paginate: Whole(1, COMPANY_NAMES_SHOWN).default(COMPANY_NAMES_SHOWN) }),
    output: json(z.array(Found)),
  }),
}
