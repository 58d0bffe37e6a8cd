import type { PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import { createAccount } from '#server/features/accounts/accounts.record.ts'
import { setFavorites } from '#server/features/accounts/favorites.commands.ts'
import { dayAgo, daysAgo, termFrom } from './days.ts'
import { inventRegister } from './invent-register.ts'
import { pdfPaper } from './papers.ts'
import { asPerson } from './people.ts'
import { statementOfValues } from './sheets.ts'
import { remember, type Stage } from './stage.ts'
import { chooseStatus } from './statuses.ts'
import { storeDocument } from './store-document.ts'
import { storeRegister } from './store-register.ts'

type Line = readonly [name: string, type: keyof typeof PROPERTY_TYPES, properties: number, status: string, states?: readonly string[]]

/** Every status occurs; the property type sets values, the states where the properties lie. */
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
const EVERY_THIRD = 3

interface Players {
  /** They take turns. */
  brokers: readonly string[]
  carrierCompanyId: string
}

/** Accounts with a few properties and documents each, so that lists and the dashboard look alive, and one with nothing in it. */
export async function addPortfolio(stage: Stage, { brokers, carrierCompanyId }: Players): Promise<void> {
  const contexts = await Promise.all(brokers.map((broker) => asPerson(stage.tx, broker)))
  for (const [index, line] of LINES.entries()) {
    const tx = contexts[index % contexts.length] ?? stage.tx
    const carrier =
      index % EVERY_THIRD === 0 ? { carrier_company_id: carrierCompanyId } : { carrier_name: stage.random.pick(OUTSIDE_CARRIERS) }
    const id = await addAccount(stage, tx, line, index, carrier)
    if (index % 7 === 2) await setFavorites(contexts[0] ?? tx, [id], true)
  }
  const { id } = await createAccount(contexts[0] ?? stage.tx, {
    name: 'Kestrel Workspace Group',
    type: 'standard',
    account_number: 'HV-2026-0900',
  })
  remember(stage, 'accounts', id, 4, 4)
}

async function addAccount(
  stage: Stage,
  tx: Stage['tx'],
  [name, type, count, status, states]: Line,
  index: number,
  carrier: { carrier_company_id: string } | { carrier_name: string | null },
): Promise<string> {
  const { id } = await createAccount(tx, {
    name,
    type: 'standard',
    account_number: `HV-2026-${String(801 + index).padStart(4, '0')}`,
    broker_company_id: tx.viewer.kind === 'user' ? tx.viewer.companyId : null,
    ...carrier,
    ...termFrom(stage.random.whole(-300, 120)),
  })
  const made = stage.random.whole(30, 420)
  remember(stage, 'accounts', id, made, stage.random.whole(3, Math.min(made, 90)))
  const file = `${name.split(' ')[0] ?? 'Account'} SOV.xlsx`
  const values = inventRegister(stage.random, {
    type,
    count,
    valuedOn: dayAgo(stage.random.whole(40, 1_300), stage.now),
    ...(states && { states }),
  })
  const stored = await storeRegister(tx, id, values, file, daysAgo(made, stage.now))
  if (index % 2 === 0) await addDocuments(stage, tx, id, { name, file, made, values, first: stored[0]?.id })
  if (status !== 'New') await chooseStatus(tx, id, status)
  return id
}

interface Own {
  name: string
  file: string
  made: number
  values: ReturnType<typeof inventRegister>
  first: string | undefined
}

async function addDocuments(stage: Stage, tx: Stage['tx'], accountId: string, { name, file, made, values, first }: Own): Promise<void> {
  const sov = await storeDocument(tx, accountId, {
    name: file,
    category: 'sov',
    bytes: await statementOfValues('Locations', values),
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  })
  remember(stage, 'files', sov, made, made)
  const paper = {
    title: `Loss control survey, ${name}`,
    category: 'risk_control',
    date: dayAgo(made, stage.now),
    author: 'Granite Peak Insurance',
    properties: values.slice(0, 1),
  } as const
  const survey = await storeDocument(tx, accountId, {
    name: 'Loss control survey.pdf',
    category: 'risk_control',
    bytes: pdfPaper(paper),
    contentType: 'application/pdf',
    properties: first === undefined ? [] : [first],
  })
  remember(stage, 'files', survey, made - 1, made - 1)
}
