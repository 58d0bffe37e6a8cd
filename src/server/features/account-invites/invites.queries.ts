import { sql, type Expression, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { INVITE_STATUSES, type Invite } from '#contract/account-invites.ts'
import { inviteAddress } from '#contract/guests.ts'
import { isOfFormerUser, visibleInvites } from '#server/access/grants.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { openLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { notFound } from '#server/kernel/errors.ts'
import { deadlineOf } from '../guests/deadline.commands.ts'

/** Invitations with their person, role, account and sender. */
const selectInvites = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('account_grants')
    .innerJoin('accounts as a', 'a.id', 'account_grants.account_id')
    .innerJoin('companies as c', 'c.id', 'a.company_id')
    .innerJoin('users as person', (join) => join.onRef('person.grant_id', '=', 'account_grants.id').on('person.kind', '=', 'guest'))
    .leftJoin('users as sender', 'sender.id', 'account_grants.created_by')
    .leftJoin('companies as sc', 'sc.id', 'sender.company_id')
    .selectAll('account_grants')
    .select([
      'a.name as account_name',
      'a.company_id as account_company_id',
      'a.deleted_at as account_deleted_at',
      'c.name as account_company_name',
      'c.logo_id as account_logo_id',
      'c.timezone',
      'c.deleted_at as company_deleted_at',
      'person.id as user_id',
      'person.deactivated_at as person_deactivated_at',
      'sender.full_name as sender_name',
      'sender.deleted_at as sender_deleted_at',
      'sender.email as sender_email',
      'sender.cell_phone as sender_phone',
      'sc.name as sender_company',
      sql<{ name: string; label: string } | null>`(SELECT jsonb_build_object('name', r.name, 'label', r.label)
        FROM user_roles x JOIN roles r ON r.id = x.role_id WHERE x.user_id = person.id LIMIT 1)`.as('role'),
    ])
    .select(isOfFormerUser.as('is_of_former_user'))
    .where('account_grants.kind', '=', 'invite')

export const loadInvites = (ctx: Context, where: Expression<SqlBool>) =>
  selectInvites(ctx).where('account_grants.revoked_at', 'is', null).where(where).execute()
export type InviteRecord = Awaited<ReturnType<typeof loadInvites>>[number]

/** Also a revoked one, which has its own message. */
export const inviteWithToken = (ctx: Context, hash: Buffer) =>
  selectInvites(ctx).where('account_grants.token_hash', '=', hash).executeTakeFirst()

/**
 * The invitations that a user has accepted, the newest first. The email alone proves nothing: an administrator of any company can add a user
 * with the email of another person.
 */
export const invitesOf = (ctx: Context, userId: string): Promise<InviteRecord[]> =>
  selectInvites(ctx)
    .where('account_grants.member_id', '=', userId)
    .where('account_grants.revoked_at', 'is', null)
    .orderBy('account_grants.accepted_at', 'desc')
    .execute()

/** Throws `notFound` unless the viewer sees it. */
export async function findInvite(ctx: Context, id: string): Promise<InviteRecord> {
  const [record] = await loadInvites(ctx, sql<SqlBool>`${idIn('account_grants', [id])} AND ${visibleInvites(ctx.viewer)}`)
  if (record === undefined) throw notFound('Invitation')
  return record
}

export const isExpired = ({ clock }: Context, { expires_at }: { expires_at: Date | null }): boolean =>
  expires_at !== null && expires_at <= clock.now()

export const isDeactivated = ({ person_deactivated_at: own, is_of_former_user: former }: InviteRecord): boolean => own !== null || former

const statusOf = (ctx: Context, invite: InviteRecord) => {
  if (isExpired(ctx, invite)) return 'expired'
  return isDeactivated(invite) ? 'deactivated' : 'active'
}

export const tokenOf = ({ config }: Context, { token_sealed: sealed }: Pick<InviteRecord, 'token_sealed'>): string =>
  sealed === null ? '' : openLinkToken(config.secretKey, sealed)

/** The name of the invited person, or the email. */
export const personName = ({ first_name, last_name, email }: Pick<InviteRecord, 'first_name' | 'last_name' | 'email'>): string =>
  `${first_name} ${last_name}`.trim() || (email ?? '')

export const FORMER_USER = 'A former user'

export const roleLabel = ({ role }: Pick<InviteRecord, 'role'>): string => role?.label ?? ''

export function presentInvite(ctx: Context, record: InviteRecord): z.input<typeof Invite> {
  const token = tokenOf(ctx, record)
  const link = `${ctx.config.appUrl}${inviteAddress(token)}`
  const email = record.email ?? ''
  return {
    id: record.id,
    invite_id: token,
    link,
    login_link: link,
    name: personName(record),
    account_id: record.account_id,
    account_name: record.account_name,
    user_id: record.user_id,
    invited_user: { full_name: personName(record), email },
    first_name: record.first_name,
    last_name: record.last_name,
    email,
    company: record.company_name,
    company_id: record.invited_company_id,
    role: record.role?.name ?? '',
    role_label: roleLabel(record),
    status: INVITE_STATUSES[statusOf(ctx, record)],
    expires_at: deadlineOf(record.expires_at, timezoneOf(ctx.viewer)),
    invited_by: record.sender_name ?? FORMER_USER,
    created_at: record.created_at.toISOString(),
    sent_at: record.sent_at?.toISOString() ?? null,
    accepted_at: record.accepted_at?.toISOString() ?? null,
    last_used_at: record.last_used_at?.toISOString() ?? null,
  }
}
