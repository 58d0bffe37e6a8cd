import { createAccount } from '#server/features/accounts/accounts.record.ts'
import { dayAgo, daysAgo, termFrom } from './days.ts'
import { inventRegister } from './invent-register.ts'
import { textPaper } from './papers.ts'
import { asPerson } from './people.ts'
import { remember, type Stage } from './stage.ts'
import { storeDocument } from './store-document.ts'
import { storeRegister } from './store-register.ts'

/** An account of another brokerage: it must show in no list, search, count or metric of anybody else's. */
export async function addForeignAccount(stage: Stage, broker: string): Promise<string> {
  const tx = await asPerson(stage.tx, broker)
  const { id } = await createAccount(tx, { name: 'Foreign Harbor Terminals', type: 'standard', account_number: 'SR-0001', ...termFrom(30) })
  remember(stage, 'accounts', id, 75, 9)
  const values = inventRegister(stage.random, { type: 'warehouse', count: 6, valuedOn: dayAgo(100, stage.now), states: ['LA', 'TX'] })
  await storeRegister(tx, id, values, 'Foreign Harbor SOV.xlsx', daysAgo(70, stage.now))
  const paper = textPaper({
    title: 'Foreign Harbor notes',
    category: 'other',
    date: dayAgo(60, stage.now),
    author: 'Robin Hale',
    properties: values.slice(0, 1),
  })
  const file = await storeDocument(tx, id, { name: 'Foreign Harbor notes.txt', contentType: 'text/plain', bytes: paper })
  remember(stage, 'files', file, 60, 60)
  return id
}
