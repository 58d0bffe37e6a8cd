import { beforeAll, describe, expect, it } from 'vitest'
import type { FlaggableType } from '#contract/flags.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeReport } from '#server/testing/factories/reports.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, ownerCtx } = await testTenant()
const { db } = app.system
const companyId = tenant.company.id
const [broker, carrier] = [await makeUser(app.system), await makeUser(app.system, { role: 'carrier' })]
/** Users of every relation to the account; the broker and carrier are only companies that it names. */
const users = {
  owner: tenant.owner,
  colleague: await makeUser(app.system, { companyId }),
  client: await makeUser(app.system, { companyId, role: 'client' }),
  uploader: await makeUser(app.system, { companyId, role: 'upload_only' }),
  broker,
  brokerColleague: await makeUser(app.system, { companyId: broker.companyId }),
  carrier,
  carrierColleague: await makeUser(app.system, { companyId: carrier.companyId, role: 'carrier' }),
  // A user of the carrier with the rights of a broker: does not see drafts.
  market: await makeUser(app.system, { companyId: carrier.companyId }),
  added: tenant.added,
  provider: await makeUser(app.system, { role: 'provider' }),
  outsider: await makeUser(app.system),
}
type Name = keyof typeof users
const NAMES = Object.keys(users) as Name[]
const nameOf = (id: string) => NAMES.find((name) => users[name].id === id)

let account: string
const records: { what: string; type: FlaggableType; id: string }[] = []
beforeAll(async () => {
  const named = { companyId, carrierCompanyId: carrier.companyId, users: [users.added.id] }
  account = (await makeAccount(app.system, { ...named, name: 'Named' })).id
  await db.updateTable('accounts').set({ broker_company_id: broker.companyId }).where('id', '=', account).execute()
  const property = (await makeProperty(app.system, account)).id
  const file = await makeFile(ownerCtx, account)
  const hidden = await makeFile(ownerCtx, account, { private: true })
  const draft = await makeReport(ownerCtx, property, { status: 'Draft' })
  records.push(
    { what: 'a property', type: 'account_property', id: property },
    { what: 'a document', type: 'account_file', id: file.id },
    { what: 'a private document', type: 'account_file', id: hidden.id },
    { what: 'a report', type: 'risk_control', id: (await makeReport(ownerCtx, property)).id },
    { what: 'a draft', type: 'risk_control', id: draft.id },
  )
})

async function offered(as: As, { type, id }: { type: FlaggableType; id: string }) {
  const { status, body } = await as.get(`/api/v1/accounts/${account}/flag-assignees?flaggable_type=${type}&flaggable_id=${id}`)
  return { status, names: status === 200 ? body.data.flatMap((user: { id: string }) => nameOf(user.id) ?? []).toSorted() : [] }
}

/** The users who are accepted as the assignee of a flag on the record. */
async function accepted(as: As, { type, id }: { type: FlaggableType; id: string }) {
  const flag = { flaggable_type: type, flaggable_id: id, message: 'Check this' }
  const names: Name[] = []
  let isRaised = false
  for (const name of NAMES) {
    const { status } = await as.post('/api/v1/flags', { ...flag, assigned_to: users[name].id })
    isRaised ||= status === 201
    if (status === 201) names.push(name)
  }
  return { isRaised, names: names.toSorted() }
}

describe.each(['owner', 'colleague', 'client', 'broker', 'carrier', 'market', 'added', 'provider'] as const)(
  'to a user like the %s',
  (name) => {
    it('exactly the users are offered that a save accepts, for each kind of record', async () => {
      const as = app.as(users[name].id)
      for (const record of records) {
        const [offer, accept] = [await offered(as, record), await accepted(as, record)]
        expect({ what: record.what, names: offer.names }).toEqual({ what: record.what, names: accept.names })
        expect(offer.status === 200, record.what).toBe(accept.isRaised)
      }
    })
  },
)

describe('possible assignees of a flag', () => {
  const named = async (name: Name, what: string) => {
    const record = records.find((one) => one.what === what)
    return record === undefined ? [] : (await offered(app.as(users[name].id), record)).names
  }

  it('are users of the own company and those that the account names as its users', async () => {
    expect(await named('owner', 'a property')).toEqual(['added', 'client', 'colleague', 'owner'])
    expect(await named('broker', 'a property')).toEqual(['added', 'broker', 'brokerColleague'])
    expect(await named('carrier', 'a property')).toEqual(['added', 'carrier'])
  })

  it('are only users who see the flagged record', async () => {
    expect(await named('owner', 'a private document')).toEqual(['client', 'colleague', 'owner'])
    expect(await named('market', 'a report')).toContain('market')
    expect(await named('market', 'a draft')).toEqual([])
  })

  it('are not found by users who do not see the record, or for a record of another account', async () => {
    const [property] = records
    if (property === undefined) throw new Error('There is a property')
    expect((await offered(app.as(users.outsider.id), property)).status).toBe(404)
    const other = { type: 'account_property', id: tenant.ids.account_properties } as const
    expect((await offered(app.as(users.owner.id), other)).status).toBe(404)
  })

  it('are named with the reason in the answer to a save for another user', async () => {
    const [property, , hidden] = records
    const raise = async (record: (typeof records)[number] | undefined, userId: string) =>
      (
        await app.as(users.owner.id).post('/api/v1/flags', {
          flaggable_type: record?.type,
          flaggable_id: record?.id,
          message: 'Check this',
          assigned_to: userId,
        })
      ).body.errors
    expect(await raise(property, users.outsider.id)).toEqual({
      assigned_to: ['Please choose a user who works on this account and can close flags.'],
    })
    expect(await raise(hidden, users.added.id)).toEqual({
      assigned_to: [`${users.added.fullName} does not see this. Please choose another user.`],
    })
  })
})
