import { z } from 'zod'
import { codesOf } from '#contract/code-lists.ts'
import { PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import { setFavorites } from '#server/features/accounts/favorites.commands.ts'
import { addAccount, setStatusByName } from './accounts.ts'
import { dateAgo, daysAgo, type DemoContext, termFrom, withPresentYears } from './demo-context.ts'
import { addDocument } from './documents.ts'
import { randomRegister } from './random-register.ts'
import { readTable } from './read-table.ts'
import { storeRegister } from './store-register.ts'
import { asUser, type UserContext } from '../users.ts'
import { statementOfValues } from './workbooks.ts'

/** The property type determines the values, the states the addresses. */
const Line = z.object({
  name: z.string(),
  type: z.enum(codesOf(PROPERTY_TYPES)),
  properties: z.coerce.number(),
  status: z.string(),
  /** Days from today to the begin of the policy, about. */
  begins: z.coerce.number(),
  states: z.string().transform((states) => states.split(' ')),
})

const OUTSIDE_CARRIERS = ['Old Colony Mutual', 'Meridian Specialty', null] as const

interface Companies {
  /** User ids of the brokers, who create the accounts in turn. */
  brokers: readonly [string, string]
  carrierCompanyId: string
}

/** Accounts in every status with a few properties and documents each, for lists and the dashboard, and one empty account. */
export async function addPortfolio(demo: DemoContext, { brokers, carrierCompanyId }: Companies): Promise<void> {
  const [first, second] = [await asUser(demo.tx, brokers[0]), await asUser(demo.tx, brokers[1])]
  for (const [index, line] of readTable('portfolio.csv', Line).entries()) {
    const id = await addPortfolioAccount(demo, index % 2 === 0 ? first : second, line, index, carrierCompanyId)
    if (index % 7 === 2) await setFavorites(first, [id], true)
  }
  await addAccount(
    demo,
    first,
    { name: 'Kestrel Workspace Group', type: 'standard', account_number: withPresentYears('HV-2026-0900', demo.now) },
    [4, 4],
  )
}

async function addPortfolioAccount(
  demo: DemoContext,
  tx: UserContext,
  { name, type, properties: count, status, begins: about, states }: z.output<typeof Line>,
  index: number,
  carrierCompanyId: string,
): Promise<string> {
  const { random, now } = demo
  const carrier = index % 3 === 0 ? { carrier_company_id: carrierCompanyId } : { carrier_name: random.pick(OUTSIDE_CARRIERS) }
  const begins = about + random.whole(-2, 2)
  const input = {
    name,
    type: 'standard',
    account_number: withPresentYears(`HV-2026-${String(801 + index).padStart(4, '0')}`, now),
    broker_company_id: tx.viewer.companyId,
    ...carrier,
    ...termFrom(begins, now),
  } as const
  // The account is in the system at least a month before the policy begins.
  const days = Math.max(random.whole(30, 420), 30 - begins)
  const id = await addAccount(demo, tx, input, [days, random.whole(3, Math.min(days, 90))])
  const file = `${name.split(' ')[0] ?? 'Account'} SOV.xlsx`
  const values = randomRegister(random, { type, count, valuedOn: dateAgo(Math.max(random.whole(40, 1_300), days), now), states })
  const surveyed = (await storeRegister(tx, id, values, file, daysAgo(days, now))).slice(0, 1)
  if (index % 2 === 0) {
    await addDocument(demo, tx, id, { name: file, category: 'sov', content: await statementOfValues('Locations', values) }, days)
    const survey = {
      name: 'Loss control survey.pdf',
      category: 'risk_control',
      content: {
        title: `Loss control survey, ${name}`,
        category: 'risk_control',
        date: dateAgo(days, now),
        author: 'Granite Peak Insurance',
        properties: surveyed.map((property) => property.values),
      },
      properties: surveyed.map(({ id }) => id),
    } as const
    await addDocument(demo, tx, id, survey, days - 1)
  }
  if (status !== 'New') await setStatusByName(tx, id, status)
  return id
}
