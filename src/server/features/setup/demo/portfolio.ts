import type { PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { setFavorites } from '#server/features/accounts/favorites.commands.ts'
import { addAccount, setStatusByName } from './accounts.ts'
import { dateAgo, daysAgo, type DemoContext, termFrom } from './demo-context.ts'
import { addDocument, renderDocument } from './documents.ts'
import { randomRegister } from './random-register.ts'
import { storeRegister } from './store-register.ts'
import { asUser } from '../users.ts'
import { statementOfValues } from './workbooks.ts'

type Line = readonly [name: string, type: keyof typeof PROPERTY_TYPES, properties: number, status: string, states: readonly string[]]

/** Every status occurs. The property type determines the values, the states the addresses. */
const LINES: readonly Line[] = [
  ['Alder Creek Apartments', 'multifamily', 9, 'Quoted', ['OR', 'WA', 'ID']],
  ['Bayside Cold Storage', 'warehouse', 5, 'Bound', ['FL', 'GA', 'SC']],
  ['Birchwood Senior Living', 'senior_living', 7, 'Submitted', ['OH', 'MI', 'IN']],
  ['Blue Heron Hospitality Group', 'hospitality', 11, 'In Review', ['FL', 'LA', 'SC']],
  ['Canyon Ridge Resorts', 'hospitality', 4, 'Bound', ['AZ', 'UT', 'CO']],
  ['Carver Street Holdings', 'mixed_use', 6, 'Gathering Data', ['PA', 'NJ', 'MD']],
  ['Copperline Data Centers', 'tech', 3, 'Quoted', ['TX', 'AZ', 'VA']],
  ['Delta Grain Cooperative', 'agriculture', 8, 'Bound', ['NE', 'MO', 'OK']],
  ['Eastgate Medical Offices', 'healthcare', 6, 'Submitted', ['TN', 'KY', 'NC']],
  ['Evergreen Unified Schools', 'education', 12, 'Bound', ['WA', 'OR']],
  ['First Harvest Foods', 'industrial', 5, 'Declined', ['CA']],
  ['Foundry Row Lofts', 'multifamily', 4, 'New', ['MD', 'PA']],
  ['Glasshouse Nurseries', 'agriculture', 3, 'Archived', ['NY', 'PA']],
  ['Granary Square Retail', 'retail', 14, 'Quoted', ['MO', 'IL', 'MN']],
  ['Highland Parking Partners', 'parking', 6, 'Bound', ['IL', 'OH', 'MI']],
  ['Ironbridge Manufacturing', 'industrial', 8, 'In Review', ['OH', 'PA', 'WI']],
  ['Juniper Office Trust', 'office', 13, 'Submitted', ['CO', 'TX', 'AZ']],
  ['Lakefront Convention Authority', 'government', 4, 'Bound', ['WI', 'IL']],
  ['Magnolia Restaurant Group', 'restaurant', 15, 'Gathering Data', ['LA', 'TX', 'TN']],
  ['Northfield Distribution', 'warehouse', 7, 'New', ['MN', 'WI', 'NE']],
  ['Old Mill Theaters', 'recreation', 5, 'Archived', ['MA', 'NY']],
  ['Prairie Wind Logistics', 'warehouse', 10, 'In Review', ['OK', 'TX', 'MO']],
  ['Redwood Self Storage', 'warehouse', 9, 'Declined', ['CA', 'NV']],
  ['St. Brendan Parish Properties', 'religious', 8, 'Submitted', ['NJ', 'NY', 'MA']],
  ['Tidewater Marine Terminals', 'utility', 3, 'Gathering Data', ['VA', 'MD']],
]
const OUTSIDE_CARRIERS = ['Old Colony Mutual', 'Meridian Specialty', null] as const

interface Companies {
  /** User ids of the brokers, who create the accounts in turn. */
  brokers: readonly string[]
  carrierCompanyId: string
}

/** Accounts with a few properties and documents each, for lists and the dashboard, and one empty account. */
export async function addPortfolio(demo: DemoContext, { brokers, carrierCompanyId }: Companies): Promise<void> {
  const contexts = await Promise.all(brokers.map((broker) => asUser(demo.tx, broker)))
  const [first = demo.tx] = contexts
  for (const [index, line] of LINES.entries()) {
    const carrier = index % 3 === 0 ? { carrier_company_id: carrierCompanyId } : { carrier_name: demo.random.pick(OUTSIDE_CARRIERS) }
    const id = await addPortfolioAccount(demo, contexts[index % contexts.length] ?? first, line, index, carrier)
    if (index % 7 === 2) await setFavorites(first, [id], true)
  }
  await addAccount(demo, first, { name: 'Kestrel Workspace Group', type: 'standard', account_number: 'HV-2026-0900' }, [4, 4])
}

async function addPortfolioAccount(
  demo: DemoContext,
  tx: WriteContext,
  [name, type, count, status, states]: Line,
  index: number,
  carrier: { carrier_company_id: string } | { carrier_name: string | null },
): Promise<string> {
  const { random, now } = demo
  const input = {
    name,
    type: 'standard',
    account_number: `HV-2026-${String(801 + index).padStart(4, '0')}`,
    broker_company_id: tx.viewer.kind === 'user' ? tx.viewer.companyId : null,
    ...carrier,
    ...termFrom(random.whole(-300, 120)),
  } as const
  const days = random.whole(30, 420)
  const id = await addAccount(demo, tx, input, [days, random.whole(3, Math.min(days, 90))])
  const file = `${name.split(' ')[0] ?? 'Account'} SOV.xlsx`
  const values = randomRegister(random, { type, count, valuedOn: dateAgo(random.whole(40, 1_300), now), states })
  const [first] = await storeRegister(tx, id, values, file, daysAgo(days, now))
  if (index % 2 === 0) {
    await addDocument(demo, tx, id, { name: file, category: 'sov', content: await statementOfValues('Locations', values) }, days)
    const survey = {
      name: 'Loss control survey.pdf',
      category: 'risk_control',
      content: await renderDocument('Loss control survey.pdf', {
        title: `Loss control survey, ${name}`,
        category: 'risk_control',
        date: dateAgo(days, now),
        author: 'Granite Peak Insurance',
        properties: values.slice(0, 1),
      }),
      properties: first === undefined ? [] : [first.id],
    } as const
    await addDocument(demo, tx, id, survey, days - 1)
  }
  if (status !== 'New') await setStatusByName(tx, id, status)
  return id
}
