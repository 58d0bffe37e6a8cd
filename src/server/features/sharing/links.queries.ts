import { sql, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { LINK_RIGHTS, shareAddress } from '#contract/guests.ts'
import { UPLOAD_ONLY_ROLE } from '#contract/default-roles.ts'
import type { LiveGrant, ShareLink } from '#contract/sharing.ts'
import { isOfFormerUser, visibleInvites, visibleLinks } from '#server/access/grants.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { naturalOrder } from '#server/engines/datatable/natural-order.ts'
import { openLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { notFound } from '#server/kernel/errors.ts'
import { deadlineOf } from '../guests/deadline.commands.ts'

/** The chosen properties of a link that are not in the trash, in the order of their numbers. */
const chosenProperties = sql<{ id: string; title: string }[]>`coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id,
    'title', concat_ws(' · ', nullif(p.location_number, ''), coalesce(nullif(p.property_name, ''), p.address)))
    ORDER BY ${naturalOrder('p.location_number')}, ${naturalOrder('p.building_number')}, p.id)
  FROM grant_properties chosen JOIN account_properties p ON p.id = chosen.property_id AND p.deleted_at IS NULL
    AND p.account_id = account_grants.account_id WHERE chosen.grant_id = account_grants.id), '[]')`.as('chosen')

const selectGrants = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('account_grants')
    .innerJoin('accounts as a', 'a.id', 'account_grants.account_id')
    .innerJoin('companies as c', 'c.id', 'a.company_id')
    .leftJoin('users as sponsor', 'sponsor.id', 'account_grants.created_by')
    .selectAll('account_grants')
    .select(chosenProperties)
    .select([
      'a.name as account_name',
      'a.company_id as account_company_id',
      'a.sharing_enabled',
      'a.deleted_at as account_deleted_at',
      'c.deleted_at as company_deleted_at',
      'sponsor.full_name as sponsor_name',
    ])
export type LinkRecord = Awaited<ReturnType<typeof linksOf>>[number]

const FORMER_USER = 'A former user'

/** The named links of an account, the newest first. */
export const linksOf = (ctx: Context, accountId: string) =>
  selectGrants(ctx)
    .where('account_grants.account_id', '=', accountId)
    .where('account_grants.kind', '=', 'link')
    .where(visibleLinks(ctx.viewer))
    .orderBy('account_grants.created_at', 'desc')
    .execute()

/** Throws `notFound` unless the viewer shares the account of the link. */
export async function findLink(ctx: Context, accountId: string, id: string): Promise<LinkRecord> {
  const link = (await linksOf(ctx, accountId)).find((one) => one.id === id)
  if (link === undefined) throw notFound('Link')
  return link
}

/** Any link with this secret, also one that no longer works. */
export const linkWithToken = (ctx: Context, hash: Buffer) =>
  selectGrants(ctx).where('token_hash', '=', hash).where('account_grants.kind', 'in', ['default_link', 'link']).executeTakeFirst()

const linkAddress = ({ config }: Context, { account_id, token_sealed: sealed }: Pick<LinkRecord, 'account_id' | 'token_sealed'>) =>
  sealed === null ? '' : `${config.appUrl}${shareAddress(account_id, openLinkToken(config.secretKey, sealed))}`

const protectionOf = ({ password_hash, email_code }: Pick<LinkRecord, 'password_hash' | 'email_code'>) => {
  if (password_hash !== null) return 'password' as const
  return email_code ? ('email_code' as const) : ('none' as const)
}

export const isOver = ({ clock }: Context, { expires_at }: { expires_at: Date | null }): boolean =>
  expires_at !== null && expires_at <= clock.now()

export const presentLink = (ctx: Context, record: LinkRecord): z.input<typeof ShareLink> => ({
  id: record.id,
  label: record.label,
  link: linkAddress(ctx, record),
  protection: protectionOf(record),
  email_domains: record.email_domains,
  rights: record.may_download ? 'download' : 'view',
  properties: record.all_properties ? null : record.chosen,
  categories: record.categories as ShareLink['categories'], // checked by the call that writes them
  unlinked_files: record.unlinked_files,
  status: isOver(ctx, record) ? 'Expired' : 'Active',
  expires_at: deadlineOf(record.expires_at, timezoneOf(ctx.viewer)),
  created_by: record.sponsor_name ?? FORMER_USER,
  created_at: record.created_at.toISOString(),
  last_used_at: record.last_used_at?.toISOString() ?? null,
})

const LIVE_MAX = 2_000

/** The first of all live links and invitations of the viewer's company, those that end first at the top, and how many there are. */
export async function liveGrants(ctx: Context, search = ''): Promise<{ grants: LiveGrant[]; total: number }> {
  const { viewer, clock } = ctx
  const pattern = `%${search.toLowerCase().replaceAll(/[%_\\]/g, String.raw`\$&`)}%`
  const rows = await selectGrants(ctx)
    .select(
      sql<{ name: string; label: string } | null>`(SELECT jsonb_build_object('name', r.name, 'label', r.label)
        FROM users p JOIN user_roles x ON x.user_id = p.id JOIN roles r ON r.id = x.role_id
        WHERE p.grant_id = account_grants.id AND account_grants.kind = 'invite' LIMIT 1)`.as('role'),
    )
    .select(sql<number>`(count(*) OVER ())::int`.as('total'))
    .where(sql<SqlBool>`(${visibleLinks(viewer)} OR ${visibleInvites(viewer)})`)
    .where(sql<SqlBool>`(account_grants.expires_at IS NULL OR account_grants.expires_at > ${clock.now()})`)
    .where(sql<SqlBool>`(account_grants.kind <> 'default_link' OR a.sharing_enabled)`)
    .where(sql<SqlBool>`(account_grants.kind <> 'invite' OR NOT ${isOfFormerUser})`)
    .where(sql<SqlBool>`lower(concat_ws(' ', a.name, account_grants.email, account_grants.label, sponsor.full_name)) LIKE ${pattern}`)
    .orderBy(sql`account_grants.expires_at ASC NULLS LAST, account_grants.id`)
    .limit(LIVE_MAX)
    .execute()
  const grants = rows.map((row) => ({
    id: row.id,
    kind: row.kind as LiveGrant['kind'], // the predicates leave no other kinds
    name: nameOf(row),
    account_id: row.account_id,
    account_name: row.account_name,
    rights: row.role?.label ?? LINK_RIGHTS[row.may_download ? 'download' : 'view'],
    own_uploads: row.role?.name === UPLOAD_ONLY_ROLE,
    scope: { properties: row.all_properties ? null : row.chosen.length, categories: row.categories?.length ?? null },
    sponsor: row.sponsor_name ?? FORMER_USER,
    expires_at: deadlineOf(row.expires_at, timezoneOf(viewer)),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }))
  return { grants, total: rows[0]?.total ?? 0 }
}

/** How lists name a link or an invitation. */
export const nameOf = ({ kind, label, email }: { kind: string; label: string; email: string | null }): string =>
  kind === 'default_link' ? 'Share link' : kind === 'invite' ? (email ?? '') : label

/** The address of the share link, for those who share the account. */
export async function defaultLinkOf(ctx: Context, accountId: string): Promise<string | undefined> {
  const link = await selectGrants(ctx)
    .where('account_grants.account_id', '=', accountId)
    .where('account_grants.kind', '=', 'default_link')
    .where(visibleLinks(ctx.viewer))
    .executeTakeFirst()
  return link && linkAddress(ctx, link)
}
