import { z } from 'zod'
import { CheckSettings } from './check-settings.ts'
import { Cell, RowBase } from './datatable.ts'
import { RecordBase, recordCalls, updateOf } from './record.ts'
import { COMPANY_NAMES_SHOWN } from './limits.ts'
import { Id, Whole, blob, call, day, json, orNull, text } from './route.ts'
import { Amount } from './metrics.ts'
import { Price } from './subscriptions.ts'
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

export function languageLabel(code: string): string {
  const labels: Readonly<Record<string, string>> = LANGUAGES
  return labels[code] ?? code
}

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

/** A subscription of a company: active until its start plus its term. */
export const CompanySubscription = z.object({
  id: Id,
  name: z.string(),
  started_at: z.string(),
  ends_at: z.string(),
  state: z.enum(['active', 'inactive']),
  /** US dollars for one term: the company's own price, or that of the subscription. Null for viewers who do not see subscriptions. */
  price: z.number().nullable(),
})
export type CompanySubscription = z.output<typeof CompanySubscription>

export const Company = RecordBase.extend({
  name: z.string(),
  language: z.string(),
  timezone: z.string(),
  logo_url: z.string().nullable(),
  subscriptions: z.array(CompanySubscription),
  users: z.number(),
  accounts: z.number(),
  check_settings: CheckSettings,
  /** Whether its users who have an authenticator app can get a code by email instead. */
  email_instead_of_app: z.boolean(),
})
export type Company = z.output<typeof Company>

export const COMPANY_NAME_MAX = 120

export const CompanyInput = z.strictObject({
  name: text(COMPANY_NAME_MAX).min(1, 'Please enter a company name.'),
  language: z.enum(['en']).default('en'),
  timezone: z.enum(TIMEZONES, 'Please choose one of the time zones.').default('America/New_York'),
  /** '0' means none. */
  subscription_id: z.union([z.literal('0').transform(() => null), orNull(Id)]).optional(),
  /** The first day of the term, in the time zone of the company. */
  subscription_start: orNull(day('Enter a date.', 10)).optional(),
  /** Replaces the price of the subscription for this company. */
  subscription_price: orNull(Price).optional(),
  /** The present one, none, or the address of an uploaded image: that of the store with the key. */
  logo_url: z.string().max(2_000, 'This is not the address of an image.').nullable().optional(),
  /** The rules of the reconciliation that differ from the usual ones; replaces all of them. */
  check_settings: CheckSettings.optional(),
  email_instead_of_app: z.boolean().optional(),
  /** Confirms a change of `email_instead_of_app`. */
  current_password: z.string().max(256, 'This password is too long').nullish(),
})

/** What is deleted with companies: everything with companies in the trash, otherwise what is not in the trash. */
export const CompanyContents = z.object({
  accounts: z.number(),
  /** In these accounts, as the following. */
  properties: z.number(),
  documents: z.number(),
  tiv: z.array(Amount),
  users: z.number(),
})
export type CompanyContents = z.output<typeof CompanyContents>

/** The types of images that can become a logo. */
export const LOGO_TYPES = ['image/jpeg', 'image/gif', 'image/png', 'image/svg+xml', 'image/tiff', 'image/webp', 'image/bmp'] as const
export const LOGO_TYPE_ERROR = 'Invalid image file type, logo must be an image.'

export const companyCalls = {
  ...recordCalls('companies', { row: CompanyRow, record: Company, input: CompanyInput, update: updateOf(CompanyInput) }),
  names: call('GET', '/companies/names', 'create_accounts', 'Find a company to name as broker or carrier, by the beginning of its name', {
    query: SearchQuery.extend({ paginate: Whole(1, COMPANY_NAMES_SHOWN).default(COMPANY_NAMES_SHOWN) }),
    output: json(z.array(Found)),
  }),
  contents: call('POST', '/companies/contents', 'delete_companies', 'What is deleted with companies', {
    body: z.strictObject({ ids: z.array(Id).min(1).max(10_000) }),
    output: json(CompanyContents),
  }),
  signLogo: call('POST', '/companies/:id/files/signed-url', 'update_companies', 'Permission to upload an image for a logo', {
    body: z.strictObject({
      filePath: z.string().min(1, 'The file needs a name.').max(1_000),
      contentType: z.enum(LOGO_TYPES, LOGO_TYPE_ERROR),
    }),
    output: json(z.object({ postEndpoint: z.string(), fields: z.record(z.string(), z.string()) })),
  }),
  logo: call('GET', '/companies/logos/:id', 'public', 'The logo of a company', { output: blob('image/png') }),
}
