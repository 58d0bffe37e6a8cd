import { z } from 'zod'
import { codesOf } from './code-lists.ts'
import { COLUMN_MAX_PX, COLUMN_MIN_PX, PAGE_SIZE_MAX, SETTING_MAX_BYTES } from './limits.ts'
import { MODEL_NAMES } from './models.ts'
import { PERMISSION_GROUPS } from './permissions.ts'
import { Id, call, json } from './route.ts'

const AuthUser = z.object({
  id: Id,
  full_name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  company: z.object({ id: Id, name: z.string(), logo_url: z.string().nullable(), timezone: z.string() }),
  roles: z.array(z.object({ id: Id, name: z.string(), label: z.string() })),
  /** The id is '0' if the company has none. */
  subscription: z.object({
    id: z.string(),
    name: z.string(),
    created_at: z.string().nullable(),
    ends_at: z.string().nullable(),
    term: z.number().nullable(),
  }),
  via_invite: z.boolean(),
  via_share_link: z.boolean(),
  /** The page shows what another person sees, and nothing can be changed. */
  via_preview: z.boolean(),
})

const COLUMNS_MAX = 200
const TOO_MANY = 'These are more columns than a list has.'

const ColumnName = z.string().max(60)
const byColumn = <V extends z.ZodType>(value: V) =>
  z
    .record(ColumnName, value)
    .refine((columns) => Object.keys(columns).length <= COLUMNS_MAX, TOO_MANY)
    .optional()

/** How the columns of a list are arranged. What is not set is as the server describes the columns. */
export const TableLayout = z.object({
  /** Whether a column is shown. */
  columns: byColumn(z.boolean()),
  /** The columns from left to right. One that is not named follows the column before it. */
  columnOrder: z.array(ColumnName).max(COLUMNS_MAX, TOO_MANY).optional(),
  /** In pixels. */
  widths: byColumn(z.number().int().min(COLUMN_MIN_PX).max(COLUMN_MAX_PX)),
})
export type TableLayout = z.output<typeof TableLayout>

export const TableSetting = TableLayout.extend({
  perPage: z.number().int().min(1).max(PAGE_SIZE_MAX).optional(),
  /** Lower rows. */
  compact: z.boolean().optional(),
})
export type TableSetting = z.output<typeof TableSetting>

export const InitData = z.object({
  auth_user: AuthUser,
  accessible_features: z.record(z.enum(codesOf(PERMISSION_GROUPS)), z.array(z.string())),
  settings: z.object({ datatable: z.record(z.string(), TableSetting), dashboard: z.record(z.string(), z.unknown()) }),
  config: z.object({
    product: z.string(),
    provider: z.string(),
    support_phone: z.string(),
    support_email: z.string(),
    chat_url: z.string(),
    learn_more_url: z.string(),
    /** Empty: the map needs no key. */
    maps_key: z.string(),
    map_style_url: z.string(),
    map_tile_url: z.string(),
    realtime: z.boolean(),
  }),
})
export type InitData = z.output<typeof InitData>

/** In UTF-8: an escaped byte counts once. */
export const bytesOf = (text: string) => encodeURIComponent(text).replace(/%../g, '-').length

const Choices = z
  .record(z.string(), z.json())
  .refine((value) => bytesOf(JSON.stringify(value)) <= SETTING_MAX_BYTES, 'This setting is larger than 64 KiB.')

export const SettingKey = z.strictObject({
  key: z.enum([...MODEL_NAMES.map((model) => `datatable_${model}` as const), 'dashboard', 'account_tabs']),
})
type SettingKey = z.output<typeof SettingKey>['key']

/** The shape of a setting; null removes it. */
export const settingSchema = (key: SettingKey) => (key === 'dashboard' || key === 'account_tabs' ? Choices : TableSetting).nullable()

export const initCalls = {
  init: call('GET', '/init', 'signed-in', 'Get the signed-in user, permissions and settings', { guests: true, output: json(InitData) }),
  refresh: call('GET', '/init/cache', 'signed-in', 'Rebuild the init data', { guests: true, output: json(InitData) }),
  setting: call('GET', '/settings/:key', 'signed-in', 'Get a setting', {
    guests: true,
    params: SettingKey,
    output: json(z.object({ key: z.string(), value: z.unknown() })),
  }),
  saveSetting: call('POST', '/settings/:key', 'signed-in', 'Store a setting', {
    guests: true,
    params: SettingKey,
    // Checked with the schema of its key.
    body: z.strictObject({ value: z.unknown() }),
    output: json(z.object({ key: z.string(), value: z.unknown() })),
  }),
}
