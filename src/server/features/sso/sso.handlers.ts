import type { ssoCalls } from '#contract/sso.ts'
import { done, type Handlers, type RequireRecord } from '#server/engines/http/answer.ts'
import { findEditable } from '#server/engines/record/save-record.ts'
import { AppError } from '#server/kernel/errors.ts'
import { companyRecord } from '../companies/companies.record.ts'
import { countCall, lookUp } from './providers.commands.ts'
import { removeSso, saveSso, testSso } from './settings.commands.ts'
import { ssoSettings } from './settings.queries.ts'
import { finishSignIn, returnFromProvider, startSignIn } from './sign-in-at-provider.commands.ts'
import { TRY_LATER } from './tickets.commands.ts'

const REDIRECT = { 'cache-control': 'no-store' }
const redirectTo = (location: string) => ({ status: 302, headers: { ...REDIRECT, location }, body: Buffer.alloc(0) })

/** The browser shows the answer of these calls as a page, so an error that passes leads to one of the product. */
async function lead(location: Promise<string>) {
  try {
    return redirectTo(await location)
  } catch (error) {
    if (error instanceof AppError && (error.kind === 'throttled' || error.kind === 'unavailable')) return redirectTo(TRY_LATER)
    throw error
  }
}

export const handlers: Handlers<typeof ssoCalls> = {
  lookup: async ({ ctx, query, caller }) => {
    await countCall(ctx, 'lookup', caller.address)
    return { data: await lookUp(ctx, query.email) }
  },
  start: ({ ctx, params, query, caller }) => lead(startSignIn(ctx, params.id, query, caller)),
  callback: ({ ctx, query, caller }) => lead(returnFromProvider(ctx, query, caller)),
  finish: async ({ ctx, body, caller }) => {
    const { pair, returnTo } = await finishSignIn(ctx, body, caller)
    return { data: { return_to: returnTo }, extra: pair }
  },
  settings: async ({ ctx, params }) => {
    await findEditable(ctx, companyRecord, params.id)
    return { data: await ssoSettings(ctx, params.id) }
  },
  save: async ({ ctx, params, body }) => {
    await saveSso(ctx, params.id, body)
    return { data: await ssoSettings(ctx, params.id), message: 'The single sign-on was saved.' }
  },
  test: async ({ ctx, params }) => {
    await testSso(ctx, params.id)
    return { data: await ssoSettings(ctx, params.id) }
  },
  remove: ({ ctx, params, body }) => done(removeSso(ctx, params.id, body.current_password), 'The single sign-on was removed.'),
}

/** Of the company in the path; a sign-in service is not one of its records. */
export const requireRecord: RequireRecord = async (ctx, { id = '' }, { can }) => {
  if (can !== 'public') await findEditable(ctx, companyRecord, id)
}
