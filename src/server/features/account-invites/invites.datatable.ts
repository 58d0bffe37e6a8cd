import { sql, type SqlBool } from 'kysely'
import { INVITE_STATUSES, type InviteRow } from '#contract/account-invites.ts'
import { codesOf } from '#contract/code-lists.ts'
import { visibleInvites } from '#server/access/grants.ts'
import { can, timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, labelCell, textCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable, type Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { idFilter } from '#server/engines/datatable/filters.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { extendInvites, makeInvitesPermanent, revokeInvites } from './change-invites.commands.ts'
import { loadInvites, presentInvite, type InviteRecord } from './invites.queries.ts'

const column = (name: string) => sql.ref(`account_grants.${name}`)

function presentRow(ctx: Context, record: InviteRecord): Unmarked<InviteRow> {
  const invite = presentInvite(ctx, record)
  const zone = timezoneOf(ctx.viewer)
  const [active, expired] = [invite.status === 'Active', invite.status === 'Expired']
  const status = codesOf(INVITE_STATUSES).find((code) => INVITE_STATUSES[code] === invite.status) ?? 'active'
  return {
    id: record.id,
    deleted_at: null,
    invited_user: { value: invite.name, text: invite.name, ...invite.invited_user },
    email: textCell(invite.email),
    role: textCell(invite.role_label),
    status: { ...labelCell(status, INVITE_STATUSES), class: active ? 'success' : 'neutral' },
    expires_at: { value: invite.expires_at.date, text: invite.expires_at.human, ...invite.expires_at },
    login_link: { ...textCell(active ? invite.login_link : null), ...(active ? { link: invite.login_link } : {}) },
    invited_by: textCell(invite.invited_by),
    sent_at: dateCell(record.sent_at, zone),
    last_used_at: dateCell(record.last_used_at, zone),
    accessible_features: { update: !expired && can(ctx.viewer, 'update_account_invites'), delete: false },
  }
}

/** The invitations of an account, or of all accounts. Revoked ones leave the list. */
export const inviteDatatable = defineDatatable<InviteRow>({
  model: 'account_invites',
  table: 'account_grants',
  hasTrash: false,
  visible: visibleInvites,
  accountColumn: 'account_id',
  dependsOn: ['account_invites', 'users', 'roles'],
  dependsOnDate: true,
  defaultSort: { column: 'expires_at', order: 'asc' },
  columns: {
    invited_user: {
      label: 'Invited',
      primary: true,
      width: 170,
      sort: { by: sql`lower(concat_ws(' ', ${column('first_name')}, ${column('last_name')}, ${column('email')}))` },
    },
    email: { label: 'Email', width: 174, sort: { by: column('email') } },
    role: { label: 'May', width: 120 },
    status: { label: 'Status', width: 92 },
    expires_at: { label: 'Access ends', width: 140, sort: { by: column('expires_at'), nullsLast: true } },
    login_link: { label: 'Link', width: 130 },
    invited_by: { label: 'Invited by', width: 130 },
    sent_at: { label: 'Mailed', default: false, width: 116, sort: { by: column('sent_at'), nullsLast: true } },
    last_used_at: { label: 'Last visit', width: 116, sort: { by: column('last_used_at'), nullsLast: true } },
  },
  filters: { account_id: idFilter('Account', 'account_grants.account_id') },
  actions: {
    extend: { label: 'Extend', can: 'update_account_invites', rule: 'update', run: (ctx, ids) => extendInvites(ctx, ids) },
    issue_permanently: {
      label: 'Make Permanent',
      can: 'update_account_invites',
      rule: 'update',
      run: (ctx, ids) => makeInvitesPermanent(ctx, ids),
    },
    revoke: {
      label: 'Revoke',
      can: 'update_account_invites',
      rule: 'update',
      prompt: { type: 'confirm', name: 'confirm', message: 'They lose access at once. This action cannot be undone.' },
      run: (ctx, ids) => revokeInvites(ctx, ids),
    },
  },
  matches: (pattern) =>
    sql<SqlBool>`lower(concat_ws(' ', ${column('email')}, ${column('first_name')}, ${column('last_name')}, ${column('company_name')})) LIKE ${pattern}`,
  // An invitation expires without an event.
  changes: (account) =>
    sql`(SELECT count(*) FROM account_grants e WHERE e.expires_at <= now() ${account === undefined ? sql`` : sql`AND e.account_id = ${account}`})`,
  rows: async (ctx, ids) => (await loadInvites(ctx, idIn('account_grants', ids))).map((record) => presentRow(ctx, record)),
})
