import { inviteCalls } from '#contract/account-invites.ts'
import type { IndexQuery } from '#contract/datatable.ts'
import { isSame } from '#contract/route.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement, type RequireRecord } from '#server/engines/http/answer.ts'
import { forbidden, invalid } from '#server/kernel/errors.ts'
import { acceptInvite, enterInvite, findOwnInvite, invitedAccounts, lookAtInvite } from './accept.commands.ts'
import { mailPasswordLink } from './become-user.commands.ts'
import { createInvite, sendInvite } from './invite.commands.ts'
import { inviteRoles } from './invite-roles.commands.ts'
import { inviteDatatable } from './invites.datatable.ts'
import { findInvite, presentInvite } from './invites.queries.ts'

const requireRecord: RequireRecord = (ctx, { id = '' }, { path }) =>
  path === inviteCalls.enter.path ? findOwnInvite(ctx, id) : findInvite(ctx, id)

const list = listHandlers(inviteDatatable, inviteCalls.index)

/** Clients can name the account without the prefix of filters. */
function ofAccount(query: IndexQuery): IndexQuery {
  const { account_id: account, ...rest } = query
  const { filter__account_id: filtered } = rest
  if (!isSame(account, filtered)) throw invalid({ account_id: ['Please send one account.'] })
  return account === undefined ? rest : Object.assign(rest, { filter__account_id: account })
}

const NO_TOKENS = { token: null, refresh_token: null }

export const inviteRoutes = implement(
  inviteCalls,
  {
    ...list,
    index: ({ query, ...request }) => list.index({ ...request, query: ofAccount(query) }),
    remove: () => Promise.reject(forbidden('Invitations cannot be deleted. Revoke them instead.')),
    roles: async ({ ctx }) => ({ data: (await inviteRoles(ctx)).map(({ name, label, help }) => ({ name, label, help })) }),
    mine: async ({ ctx }) => ({ data: await invitedAccounts(ctx) }),
    show: async ({ ctx, params }) => ({ data: presentInvite(ctx, await findInvite(ctx, params.id)) }),
    create: async ({ ctx, body }) => ({ status: 201, data: presentInvite(ctx, await createInvite(ctx, body)) }),
    send: async ({ ctx, body }) => ({ data: null, message: await sendInvite(ctx, body.invite_id) }),
    look: async ({ ctx, body, caller }) => ({ data: await lookAtInvite(ctx, body.invite_id, caller) }),
    accept: async ({ ctx, body, caller }) => {
      const { accountId, own, pair } = await acceptInvite(ctx, body, caller)
      return { data: { account_id: accountId, own }, extra: pair ?? NO_TOKENS }
    },
    enter: async ({ ctx, params, caller }) => {
      const { accountId, pair } = await enterInvite(ctx, params.id, caller)
      return { data: { account_id: accountId }, extra: pair }
    },
    setPassword: async ({ ctx }) => ({ data: null, message: await mailPasswordLink(ctx) }),
  },
  requireRecord,
)
