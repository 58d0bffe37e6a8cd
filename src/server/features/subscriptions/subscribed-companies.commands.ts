import { findVisibleCompany } from '#server/access/require.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { invalid } from '#server/kernel/errors.ts'
import { subscribe } from '../companies/subscribe.commands.ts'

/** The company that a form of a new subscription was opened for, if the viewer sees it. */
export async function presetCompany({ db, viewer }: Context, id: unknown): Promise<{ id: string; name: string }[]> {
  const company = typeof id === 'string' && isUuid(id) ? await findVisibleCompany(db, viewer, id) : undefined
  return company === undefined ? [] : [company]
}

interface Subscribed {
  id: string
  /** Those that have the subscription. */
  companies: readonly { id: string }[]
}

/** Gives the subscription to exactly these companies. Throws `invalid` for one that has another subscription, which would be lost. */
export async function setCompanies(tx: WriteContext, { id, companies: held }: Subscribed, sent: readonly string[]): Promise<void> {
  const before = new Set(held.map((company) => company.id))
  const removed = [...before].filter((company) => !sent.includes(company))
  const added = [...new Set(sent)].filter((company) => !before.has(company))
  if (removed.length > 0)
    await tx.db.deleteFrom('company_subscriptions').where('subscription_id', '=', id).where('company_id', 'in', removed).execute()
  if (added.length === 0) return
  const found = await tx.db
    .selectFrom('companies')
    .leftJoin('company_subscriptions', 'company_subscriptions.company_id', 'companies.id')
    .leftJoin('subscriptions', 'subscriptions.id', 'company_subscriptions.subscription_id')
    .select(['companies.id', 'companies.name', 'subscriptions.name as other'])
    .where('companies.id', 'in', added)
    .where('companies.deleted_at', 'is', null)
    .where(visibleCompanies(tx.viewer))
    .forUpdate('companies')
    .execute()
  if (found.length !== added.length) throw invalid({ companies: ['One of the companies was not found. Choose companies from the list.'] })
  const taken = found.find(({ other }) => other !== null)
  if (taken !== undefined)
    throw invalid({ companies: [`${taken.name} has the subscription ${taken.other ?? ''}. Change it in the form of the company.`] })
  for (const company of found) await subscribe(tx, company.id, id)
}
