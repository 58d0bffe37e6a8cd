import { createAccount } from '#server/features/accounts/accounts.record.ts'
import { dayAgo, daysAgo } from './days.ts'
import { inventRegister } from './invent-register.ts'
import { textPaper } from './papers.ts'
import { asPerson } from './people.ts'
import { remember, type Stage } from './stage.ts'
import { chooseStatus } from './statuses.ts'
import { storeDocument } from './store-document.ts'
import { storeRegister } from './store-register.ts'

interface Players {
  client: string
  /** Provider staff, who organise what clients send. */
  provider: string
}

const CASES = [
  { name: 'Pacific Crest Warehouses', number: 'PC-11', status: 'Uploading', made: 12, papers: ['Warehouse list.txt'], properties: 0 },
  {
    name: 'Pacific Crest Student Housing',
    number: 'PC-10',
    status: 'Processing',
    made: 40,
    papers: ['Schedule from the manager.txt', 'Sprinkler inspection hall B.txt', 'Lease overview.txt'],
    properties: 0,
  },
  {
    name: 'Pacific Crest Garden Apartments',
    number: 'PC-07',
    status: 'Active',
    made: 200,
    papers: ['Appraisal summary.txt', 'Roof letter.txt'],
    properties: 12,
  },
] as const

/** A managed account in each state: files coming in, being organised, organised. */
export async function addManagedAccounts(stage: Stage, { client, provider }: Players): Promise<void> {
  const owner = await asPerson(stage.tx, client)
  const staff = await asPerson(stage.tx, provider)
  for (const { name, number, status, made, papers, properties } of CASES) {
    const { id } = await createAccount(owner, { name, type: 'managed', account_number: number })
    remember(stage, 'accounts', id, made, Math.min(made, 6))
    for (const paper of papers) {
      const date = dayAgo(made, stage.now)
      const bytes = textPaper({
        title: paper.replace(/\.\w+$/, ''),
        category: 'correspondence',
        date,
        author: 'Dana Whitfield',
        properties: [],
      })
      const file = await storeDocument(owner, id, { name: paper, contentType: 'text/plain', bytes })
      remember(stage, 'files', file, made - 1, made - 1)
    }
    if (properties > 0) {
      const values = inventRegister(stage.random, {
        type: 'multifamily',
        count: properties,
        valuedOn: dayAgo(90, stage.now),
        states: ['CA'],
      })
      await storeRegister(staff, id, values, 'Garden Apartments schedule.xlsx', daysAgo(made - 20, stage.now))
    }
    if (status !== 'Uploading') await chooseStatus(staff, id, status)
  }
}
