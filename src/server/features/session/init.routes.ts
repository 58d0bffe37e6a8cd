import { sql } from 'kysely'
import { z } from 'zod'
import { initCalls, settingSchema, SettingKey, TableSetting, type InitData } from '#contract/init.ts'
import { groupPermissions } from '#contract/permissions.ts'
import type { SignedIn } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { logoUrl } from '../companies/logos.commands.ts'
import { implement } from '#server/engines/http/answer.ts'
import { issueText } from '#server/engines/http/issue-text.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { recordVisit } from '#server/engines/visits/record-visit.ts'

const features = ({ permissions }: SignedIn) => groupPermissions((name) => permissions.has(name))

async function subscription(ctx: Context, companyId: string): Promise<InitData['auth_user']['subscription']> {
  const { rows } = await sql<{ id: string; name: string; created_at: Date; ends_at: Date; term: number }>`
    SELECT s.id, s.name, x.created_at, x.created_at + make_interval(months => x.term_months) AS ends_at, x.term_months AS term
    FROM company_subscriptions x JOIN subscriptions s ON s.id = x.subscription_id
    WHERE x.company_id = ${companyId} AND s.deleted_at IS NULL
      AND x.created_at + make_interval(months => x.term_months) > ${ctx.clock.now()}`.execute(ctx.db)
  const row = rows[0]
  if (row === undefined) return { id: '0', name: '', created_at: null, ends_at: null, term: null }
  return { ...row, created_at: row.created_at.toISOString(), ends_at: row.ends_at.toISOString() }
}

async function savedSettings(ctx: Context, userId: string): Promise<InitData['settings']> {
  const known = [...SettingKey.shape.key.options]
  const rows = await ctx.db
    .selectFrom('settings')
    .select(['key', 'value'])
    .where('user_id', '=', userId)
    .where('key', 'in', known)
    .execute()
  const tables = rows.flatMap(({ key, value }) => {
    const parsed = key.startsWith('datatable_') ? TableSetting.safeParse(value) : undefined
    return parsed?.success === true ? [[key.slice('datatable_'.length), parsed.data] as const] : []
  })
  const dashboard = rows.find(({ key }) => key === 'dashboard')?.value
  return {
    datatable: Object.fromEntries(tables),
    dashboard: dashboard !== null && typeof dashboard === 'object' && !Array.isArray(dashboard) ? { ...dashboard } : {},
  }
}

async function initData(ctx: Context): Promise<z.input<typeof InitData>> {
  const viewer = signedIn(ctx)
  const { product } = ctx.config
  return {
    auth_user: {
      id: viewer.userId,
      full_name: viewer.fullName,
      first_name: viewer.firstName,
      last_name: viewer.lastName,
      email: viewer.email,
      company: { id: viewer.companyId, name: viewer.companyName, logo_url: logoUrl(viewer.logoId), timezone: viewer.timezone },
      roles: [...viewer.roles],
      subscription: await subscription(ctx, viewer.companyId),
      via_invite: viewer.via?.kind === 'invite',
      via_share_link: viewer.via?.kind === 'share',
      via_preview: viewer.via?.preview ?? false,
    },
    accessible_features: features(viewer),
    settings: await savedSettings(ctx, viewer.userId),
    config: {
      product: product.name,
      provider: product.provider,
      support_phone: product.supportPhone ?? '',
      support_email: product.supportEmail ?? '',
      chat_url: product.chatUrl ?? '',
      learn_more_url: product.learnMoreUrl ?? '',
      maps_key: '',
      map_style_url: product.mapStyleUrl ?? '',
      map_tile_url: product.tileUrl ?? '',
      realtime: viewer.via === undefined,
    },
  }
}

export const initRoutes = implement(initCalls, {
  init: async ({ ctx, caller }) => {
    await recordVisit(ctx, { what: 'opened', address: caller.address })
    return { data: await initData(ctx) }
  },
  refresh: async ({ ctx }) => ({ data: await initData(ctx) }),
  setting: async ({ ctx, params }) => {
    const row = await ctx.db
      .selectFrom('settings')
      .select('value')
      .where('user_id', '=', signedIn(ctx).userId)
      .where('key', '=', params.key)
      .executeTakeFirst()
    return { data: { key: params.key, value: row?.value ?? null } }
  },
  saveSetting: async ({ ctx, params, body }) => {
    const { value } = z.object({ value: settingSchema(params.key) }).parse({ value: body.value ?? null }, { error: issueText })
    const stored = JSON.stringify(value)
    await ctx.db
      .insertInto('settings')
      .values({ user_id: signedIn(ctx).userId, key: params.key, value: stored })
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet({ value: stored, updated_at: ctx.clock.now() }))
      .execute()
    return { data: { key: params.key, value } }
  },
})
