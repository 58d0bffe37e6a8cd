import type { z } from 'zod'
import type { ssoCalls, SsoProvider } from '#contract/sso.ts'
import type { DataIn } from '#contract/route.ts'
import { emergencyAdministrators } from '#server/access/emergency-administrators.ts'
import type { Context } from '#server/engines/context.ts'
import { redirectUri } from './openid.ts'

export const storedProvider = ({ db }: Pick<Context, 'db'>, companyId: string) =>
  db.selectFrom('identity_providers').selectAll().where('company_id', '=', companyId).executeTakeFirst()

type Stored = NonNullable<Awaited<ReturnType<typeof storedProvider>>>

/** The settings without the client secret, which is never sent back. */
export async function ssoSettings(ctx: Context, companyId: string): Promise<DataIn<typeof ssoCalls.settings>> {
  const stored = await storedProvider(ctx, companyId)
  return {
    provider: stored === undefined ? null : await present(ctx, stored),
    redirect_uri: redirectUri(ctx),
    administrators: await emergencyAdministrators(ctx.db, companyId),
  }
}

async function present({ db }: Context, stored: Stored): Promise<z.input<typeof SsoProvider>> {
  const { id, issuer, client_id, enabled, password_allowed, emergency_user_id, version } = stored
  const domains = await db
    .selectFrom('identity_provider_domains')
    .select('domain')
    .where('provider_id', '=', id)
    .orderBy('domain')
    .execute()
  const { failed_at: failedAt, failure } = stored
  return {
    issuer,
    client_id,
    domains: domains.map(({ domain }) => domain),
    enabled,
    password_allowed,
    emergency_user_id,
    version,
    test: testOf(stored),
    last_sign_in_at: stored.signed_in_at?.toISOString() ?? null,
    last_failure: failedAt === null || failure === null ? null : { at: failedAt.toISOString(), reason: failure },
  }
}

function testOf({ tested_at: at, test_failure: reason }: Stored): z.input<typeof SsoProvider>['test'] {
  if (at === null) return { state: 'unknown' }
  return reason === null ? { state: 'done', at: at.toISOString() } : { state: 'failed', at: at.toISOString(), reason }
}
