import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'
import { loadFiles } from './files.queries.ts'

const { app, broker, ctx } = await testBroker()
const { id: accountId } = await makeAccount(app.system, { companyId: broker.companyId })

const MONTH_MS = 30.5 * 86_400_000
const monthsAgo = (months: number) => new Date(app.system.clock.now().getTime() - months * MONTH_MS).toISOString().slice(0, 10)

async function fileOf(category: DocumentCategoryCode, months: number | null): Promise<string> {
  const { id } = await makeFile(ctx, accountId, { category })
  const date = months === null ? null : monthsAgo(months)
  await app.system.db.updateTable('account_files').set({ report_author_date: date }).where('id', '=', id).execute()
  return id
}
const ageOf = async (id: string) => (await app.as(broker.id).get(`/api/v1/accounts/${accountId}/files/${id}`)).body.data.age
const listed = async (filter: string): Promise<string[]> => {
  const { data } = (await app.as(broker.id).get(`/api/v1/accounts/${accountId}/files?paginate=9999&${filter}`)).body
  return data.map(({ id }: { id: string }) => id)
}

it.each([
  ['appraisal', 35, 'current'],
  ['appraisal', 37, 'stale'],
  ['appraisal', 61, 'critical'],
  ['sov', 13, 'stale'],
  ['seismic', 119, 'current'],
  ['plans', 500, null],
  ['plans', null, 'no_date'],
  ['financial', null, 'no_date'],
  ['policy', null, null],
] as const)(
  'a document of category %s with an age of %s months is %s, and the filters find it accordingly',
  async (category, months, age) => {
    const id = await fileOf(category, months)
    expect(await ageOf(id)).toBe(age)
    const isStale = age === 'stale' || age === 'critical'
    expect((await listed('filter__stale=1')).includes(id)).toBe(isStale)
    expect((await listed('filter__stale=0')).includes(id)).toBe(!isStale)
    expect((await listed('filter__no_date=1')).includes(id)).toBe(age === 'no_date')
  },
)

it('a loss run is compared with the effective date of its account, and its age is unknown without one', async () => {
  const id = await fileOf('loss_run', 4)
  expect(await ageOf(id)).toBe('unknown')
  const effective = (months: number) =>
    sql`UPDATE accounts SET effective_date = ${monthsAgo(months)}::date WHERE id = ${accountId}`.execute(app.system.db)
  await effective(0)
  expect(await ageOf(id)).toBe('stale')
  await effective(2)
  expect(await ageOf(id)).toBe('current')
})

it('the first day after the last one is out of date, in the time zone of the viewer', async () => {
  const id = await fileOf('roof', 1)
  const { current_until: last } = (await app.as(broker.id).get(`/api/v1/accounts/${accountId}/files/${id}`)).body.data
  const isStale = async (date: string) => {
    const viewer = { ...(await app.viewer(broker.id)), timezone: 'America/Phoenix' }
    const [file] = await loadFiles(
      { ...ctx, viewer, clock: { now: () => new Date(`${date}T23:30:00-07:00`) } },
      idIn('account_files', [id]),
    )
    return file?.age === 'stale'
  }
  const next = new Date(Date.parse(`${last}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  expect([await isStale(last), await isStale(next)]).toEqual([false, true])
})
