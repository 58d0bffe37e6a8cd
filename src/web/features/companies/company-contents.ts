import { companyCalls, type CompanyContents } from '#contract/companies.ts'
import { formatAmounts, formatList, plural } from '#contract/format.ts'
import { api } from '#web/data/client.ts'
import type { DeletedContents, Deletion } from '#web/data/models.ts'

/** What is deleted with companies. Accounts in the trash must be permanently deleted before their company. */
export async function companyContents(deletion: Deletion, signal: AbortSignal): Promise<DeletedContents> {
  const { data } = await api(companyCalls.contents, { body: { ids: [...deletion.ids] }, signal })
  return { text: contentsText(data, deletion), canDelete: !(deletion.force && data.accounts > 0) }
}

function contentsText({ accounts, properties, documents, tiv, users }: CompanyContents, { ids, force }: Deletion): string {
  const [it, company] = ids.length === 1 ? ['it', 'this company'] : ['them', 'these companies']
  const inside = [plural(properties, 'property', 'properties'), plural(documents, 'document'), `${formatAmounts(tiv)} total insured value`]
  const accountsText = `${plural(accounts, 'account')} (${inside.join(', ')})`
  const isOne = accounts + users === 1
  if (force && accounts > 0) {
    const [are, them] = accounts === 1 ? ['is', 'it'] : ['are', 'them']
    return `${accountsText} ${are} still in the trash of ${company}. Permanently delete ${them} first.`
  }
  if (accounts + users === 0) return `No accounts and no users are deleted with ${it}.`
  const what = formatList([...(accounts > 0 ? [accountsText] : []), ...(users > 0 ? [plural(users, 'user')] : [])])
  return force
    ? `${what} ${isOne ? 'is' : 'are'} permanently deleted with ${it}.`
    : `${what} ${isOne ? 'goes' : 'go'} to the trash with ${it}. Restoring ${it} restores ${isOne ? 'this' : 'these'}, too.`
}
