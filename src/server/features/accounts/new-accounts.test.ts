import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { transact } from '#server/engines/transaction/transact.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'
import { recordSignIn } from '../session/session.commands.ts'

const { app, broker } = await testBroker()
const colleague = await makeUser(app.system, { companyId: broker.companyId })
const asBroker = app.as(broker.id)

const create = async (by: string, name: string): Promise<string> =>
  (await app.as(by).post('/api/v1/accounts', { name, type: 'standard' })).body.data.id
const signIn = () => transact(app.system, (tx) => recordSignIn(tx, broker.id))
/** The names of the accounts that the broker's list marks as new. */
async function marked(): Promise<string[]> {
  const { body } = await asBroker.get('/api/v1/accounts?sort=name&order=asc')
  return body.data.flatMap(({ is_new, name }: { is_new: boolean; name: { text: string } }) => (is_new ? [name.text] : []))
}

it('marks accounts that another user created since the previous sign-in, until the viewer opens them', async () => {
  await create(colleague.id, 'Before the first sign-in')
  await signIn()
  await create(colleague.id, 'Before the previous sign-in')
  await sql`UPDATE accounts SET created_at = created_at - interval '2 hours'`.execute(app.system.db)
  await sql`UPDATE users SET last_login_at = last_login_at - interval '1 hour' WHERE id = ${broker.id}`.execute(app.system.db)
  // The first sign-in has none before it, so that nothing is new.
  expect(await marked()).toEqual([])
  const opened = await create(colleague.id, 'Opened')
  await create(colleague.id, 'Since the previous sign-in')
  await create(broker.id, 'My own')
  await signIn()
  expect(await marked()).toEqual(['Opened', 'Since the previous sign-in'])
  await asBroker.get(`/api/v1/accounts/${opened}`)
  expect(await marked()).toEqual(['Since the previous sign-in'])
  await signIn()
  expect(await marked()).toEqual([])
})
