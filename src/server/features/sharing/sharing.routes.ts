import { sharingCalls } from '#contract/sharing.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { contentDisposition } from '#server/engines/storage/download.ts'
import { writeCsv } from '#server/engines/spreadsheet/write/write-csv.ts'
import { notFound } from '#server/kernel/errors.ts'
import { guestJobs } from './guests.job.ts'
import { createLink, removeLink, rotateLink, updateLink } from './links.commands.ts'
import { defaultLinkOf, findLink, linksOf, liveGrants, presentLink } from './links.queries.ts'
import { redeemLink } from './redeem.commands.ts'
import { endAllAccess, replaceLink } from './sharing.commands.ts'
import { visitLines, visitsOfAccount, visitsOfGrant } from './visits.queries.ts'

const NO_TOKENS = { token: null, refresh_token: null }

const requireAccount = (ctx: Context, id: string) => requireVisibleAccount(ctx.db, ctx.viewer, id)

export const sharingRoutes = implement(
  sharingCalls,
  {
    refresh: async ({ ctx, params }) => {
      await replaceLink(ctx, params.id)
      const share_link = await defaultLinkOf(ctx, params.id)
      if (share_link === undefined) throw notFound('Link')
      return { data: { share_link } }
    },
    redeem: async ({ ctx, params, body, caller }) => {
      const redeemed = await redeemLink(ctx, params.id, body, caller)
      return { data: { account_id: params.id, needs: redeemed.needs }, extra: redeemed.needs === null ? redeemed.pair : NO_TOKENS }
    },
    links: async ({ ctx, params }) => {
      await requireAccount(ctx, params.id)
      return { data: (await linksOf(ctx, params.id)).map((link) => presentLink(ctx, link)) }
    },
    createLink: async ({ ctx, params, body }) => ({ status: 201, data: presentLink(ctx, await createLink(ctx, params.id, body)) }),
    updateLink: async ({ ctx, params, body }) => ({ data: presentLink(ctx, await updateLink(ctx, params.id, params.link_id, body)) }),
    removeLink: async ({ ctx, params }) => {
      await removeLink(ctx, params.id, params.link_id)
      return { data: null, message: 'The link was revoked.' }
    },
    rotateLink: async ({ ctx, params }) => ({ data: presentLink(ctx, await rotateLink(ctx, params.id, params.link_id)) }),
    revokeAll: async ({ ctx, params }) => ({ data: await endAllAccess(ctx, params.id) }),
    grants: async ({ ctx, query }) => {
      const { grants, total } = await liveGrants(ctx, query.search)
      return { data: grants, extra: { total } }
    },
    visits: async ({ ctx, params }) => {
      await requireAccount(ctx, params.id)
      return { data: await visitsOfAccount(ctx, params.id) }
    },
    visitsOf: async ({ ctx, params }) => {
      await requireAccount(ctx, params.id)
      const { visits, total } = await visitsOfGrant(ctx, params.id, params.grant_id)
      return { data: visits, extra: { total } }
    },
    exportVisits: async ({ ctx, params }) => {
      const { name } = await requireAccount(ctx, params.id)
      const [columns = [], ...rows] = await visitLines(ctx, params.id)
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': contentDisposition('attachment', `${name} visits.csv`),
      }
      return { headers, body: writeCsv({ columns: columns.map((header) => ({ header, kind: 'text' as const, width: 20 })), rows }) }
    },
  },
  async (ctx, { id = '', link_id: linkId }, { path }) => {
    if (path === sharingCalls.redeem.path) return
    await requireAccount(ctx, id)
    if (linkId !== undefined) await findLink(ctx, id, linkId)
  },
)

export const sharingJobs = guestJobs
