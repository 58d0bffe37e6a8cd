import { createAccount, setAccountStatus } from '#server/features/accounts/accounts.record.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { dateAgo, daysAgo, backdate, type DemoContext, termFrom } from './demo-context.ts'
import { addDocument } from './documents.ts'
import { randomRegister } from './random-register.ts'
import { storeRegister } from './store-register.ts'
import { asUser } from '../users.ts'

/** Creates an account as the viewer of `tx`, dated in days before today. */
export async function addAccount(
  demo: DemoContext,
  tx: WriteContext,
  input: Parameters<typeof createAccount>[1],
  [created, updated]: readonly [created: number, updated: number],
): Promise<string> {
  const { id } = await createAccount(tx, input)
  backdate(demo, 'accounts', id, created, updated)
  return id
}

/** Sets the status of an account by its name in the company of the account. */
export async function setStatusByName(tx: WriteContext, accountId: string, name: string): Promise<void> {
  const status = await tx.db
    .selectFrom('statuses')
    .innerJoin('accounts', 'accounts.company_id', 'statuses.company_id')
    .select('statuses.id')
    .where('accounts.id', '=', accountId)
    .where('statuses.name', '=', name)
    .executeTakeFirstOrThrow()
  await setAccountStatus(tx, accountId, status.id)
}

const MANAGED = [
  { name: 'Pacific Crest Warehouses', number: 'PC-11', status: 'Uploading', days: 12, documents: ['Warehouse list.txt'], properties: 0 },
  {
    name: 'Pacific Crest Student Housing',
    number: 'PC-10',
    status: 'Processing',
    days: 40,
    documents: ['Schedule from the manager.txt', 'Sprinkler inspection hall B.txt', 'Lease overview.txt'],
    properties: 0,
  },
  {
    name: 'Pacific Crest Garden Apartments',
    number: 'PC-07',
    status: 'Active',
    days: 200,
    documents: ['Appraisal summary.txt', 'Roof letter.txt'],
    properties: 12,
  },
] as const

interface ManagedUsers {
  client: string
  /** Provider staff, who organize the documents of clients. */
  provider: string
}

/** A managed account in each state: documents arriving, being organized, organized. */
export async function addManagedAccounts(demo: DemoContext, { client, provider }: ManagedUsers): Promise<void> {
  const owner = await asUser(demo.tx, client)
  const staff = await asUser(demo.tx, provider)
  for (const { name, number, status, days, documents, properties } of MANAGED) {
    const id = await addAccount(demo, owner, { name, type: 'managed', account_number: number }, [days, Math.min(days, 6)])
    for (const document of documents) {
      const content = { category: 'correspondence', date: dateAgo(days, demo.now), author: 'Dana Whitfield' } as const
      await addDocument(demo, owner, id, { name: document, content }, days - 1)
    }
    if (properties > 0) {
      const valuedOn = dateAgo(days, demo.now)
      const values = randomRegister(demo.random, { type: 'multifamily', count: properties, valuedOn, states: ['CA'] })
      await storeRegister(staff, id, values, 'Garden Apartments schedule.xlsx', daysAgo(days - 20, demo.now))
    }
    if (status !== 'Uploading') await setStatusByName(staff, id, status)
  }
}

/** An account of another brokerage. It must appear in no list, search, count or metric of the other companies. */
export async function addForeignAccount(demo: DemoContext, broker: string): Promise<void> {
  const tx = await asUser(demo.tx, broker)
  const input = { name: 'Foreign Harbor Terminals', type: 'standard', account_number: 'SR-0001', ...termFrom(30, demo.now) } as const
  const id = await addAccount(demo, tx, input, [75, 9])
  const valuedOn = dateAgo(100, demo.now)
  const values = randomRegister(demo.random, { type: 'warehouse', count: 6, valuedOn, states: ['LA', 'TX'] })
  await storeRegister(tx, id, values, 'Foreign Harbor SOV.xlsx', daysAgo(70, demo.now))
  const content = { category: 'other', date: dateAgo(60, demo.now), author: 'Robin Hale', properties: values.slice(0, 1) } as const
  await addDocument(demo, tx, id, { name: 'Foreign Harbor notes.txt', content }, 60)
}
