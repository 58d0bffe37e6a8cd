import { sql } from 'kysely'
import { can } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { invalid } from '#server/kernel/errors.ts'

/** Anyone can have an email there. */
const PUBLIC_DOMAINS: ReadonlySet<string> = new Set([
  'aol.com',
  'comcast.net',
  'fastmail.com',
  'gmail.com',
  'gmx.com',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'mac.com',
  'mail.com',
  'me.com',
  'msn.com',
  'outlook.com',
  'pm.me',
  'proton.me',
  'protonmail.com',
  'yahoo.com',
  'ymail.com',
  'zoho.com',
])

interface Claim {
  companyId: string
  providerId: string
  domains: readonly string[]
}

/**
 * Throws a field error for a domain that another company has, in which users of other companies have their email, or in which anyone can
 * have one: the sign-in page would send these people to a service that is not theirs. The error is the same for all reasons, because other companies are not visible. Viewers who see all users may decide about their emails.
 */
export async function requireFreeDomains(tx: WriteContext, { companyId, providerId, domains }: Claim): Promise<void> {
  const taken = await tx.db
    .selectFrom('identity_provider_domains')
    .select('domain')
    .where('domain', 'in', [...domains])
    .where('provider_id', '<>', providerId)
    .execute()
  const elsewhere = can(tx.viewer, 'view_all_system_users') ? [] : await usedElsewhere(tx, companyId, domains)
  const unusable = new Set([...taken.map(({ domain }) => domain.toLowerCase()), ...elsewhere])
  const wrong = domains.find((domain) => PUBLIC_DOMAINS.has(domain) || unusable.has(domain))
  if (wrong !== undefined)
    throw invalid({ domains: [`${wrong} cannot be used for this company. Ask ${tx.config.product.provider} if it should be.`] })
}

async function usedElsewhere({ db }: WriteContext, companyId: string, domains: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`SELECT DISTINCT lower(split_part(u.email::text, '@', 2)) AS domain FROM users u
    WHERE u.kind = 'member' AND u.deleted_at IS NULL AND u.company_id <> ${companyId}
      AND lower(split_part(u.email::text, '@', 2)) = ANY(${[...domains]})`.execute(db)
  return rows.map(({ domain }) => domain)
}
