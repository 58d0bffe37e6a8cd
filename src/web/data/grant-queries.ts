import { queryOptions } from '@tanstack/react-query'
import { inviteCalls } from '#contract/account-invites.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { callQuery } from './call-query.ts'
import { api } from './client.ts'

/** What shows who outside has access to accounts: invitations, links and visits. */
export const grantQueries = {
  /** The roles that the user can give. */
  roles: () => callQuery(['invite-roles'], inviteCalls.roles),
  invite: (id: string) => callQuery(['record', 'account_invites', id], inviteCalls.show, { params: { id } }),
  /** The named links of an account, newest first. */
  links: (accountId: string) => callQuery(['links', accountId], sharingCalls.links, { params: { id: accountId } }),
  /** All live links and invitations of the company. */
  live: (search: string) =>
    queryOptions({
      queryKey: ['grants', search],
      queryFn: ({ signal }) => api(sharingCalls.grants, { query: search === '' ? {} : { search }, signal }),
    }),
  visits: (accountId: string) => callQuery(['visits', accountId], sharingCalls.visits, { params: { id: accountId } }),
  visitsOf: (accountId: string, grantId: string) =>
    queryOptions({
      queryKey: ['visits', accountId, grantId],
      queryFn: ({ signal }) => api(sharingCalls.visitsOf, { params: { id: accountId, grant_id: grantId }, signal }),
    }),
}
