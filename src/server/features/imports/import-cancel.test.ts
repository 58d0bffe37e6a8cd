import { expect, test } from 'vitest'
import type { WriteContext } from '#server/engines/context.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'
import { SOV, begin, commit, put, register, scheduleOf } from '#server/testing/factories/import-flow.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { callDuringChange } from '#server/testing/lock-wait.fixture.ts'
import { writeImport } from './commit/write-import.ts'
import { changeImport } from './imports.queries.ts'
import { endImport } from './undo.commands.ts'
import { updateImport } from './update.commands.ts'

const desk = deskForEachTest()

const cancel = (id: string) => desk.app.as(desk.userId).delete(`/api/v1/properties/import/${id}`)
const stateOf = async (id: string) => (await desk.app.as(desk.userId).get(`/api/v1/properties/import/${id}`)).body.data.state
const byUser = async (tx: WriteContext) => ({ ...tx, viewer: await desk.app.viewer(desk.userId) })
const manyRows = (count: number) =>
  scheduleOf(...Array.from({ length: count }, (_, row) => `${row + 1},1,,${row + 1} Main St,Fresno,CA,93721,Frame,1990,10000,1000000,,,`))

const CANCELED = 'This import was canceled meanwhile. Nothing was written to the register.'

test('a commit is rejected when the import is canceled while it is written', async () => {
  const { id, version } = await begin(desk, SOV)
  const canceling = async (tx: WriteContext) => endImport(await byUser(tx), id, false)
  const answer = await callDuringChange(desk.app, canceling, () => commit(desk, { id, version }))
  expect([answer.status, answer.body.message]).toEqual([409, CANCELED])
  expect([await stateOf(id), await register(desk)]).toEqual(['cancelled', []])
})

test('a commit by a job is rejected when the import is canceled before the job has it', async () => {
  const data = await begin(desk, manyRows(1_001))
  const canceling = async (tx: WriteContext) => endImport(await byUser(tx), data.id, false)
  const answer = await callDuringChange(desk.app, canceling, () => commit(desk, data))
  expect([answer.status, answer.body.message]).toEqual([409, CANCELED])
  expect((await commit(desk, data)).body.message).toBe(CANCELED)
  expect([await stateOf(data.id), await register(desk)]).toEqual(['cancelled', []])
})

test('a cancellation is rejected when the import is written meanwhile', async () => {
  const data = await begin(desk, SOV)
  const committing = async (tx: WriteContext) => writeImport(await byUser(tx), data.id, [])
  const answer = await callDuringChange(desk.app, committing, () => cancel(data.id))
  expect([answer.status, answer.body.message]).toEqual([409, 'This import has been written to the register meanwhile. Undo it instead.'])
  expect([await stateOf(data.id), (await register(desk)).length]).toEqual(['committed', 3])
})

test('a cancellation is rejected when a job takes the import meanwhile', async () => {
  const { id } = await begin(desk, SOV)
  const taking = (tx: WriteContext) => changeImport(tx.db, id, { activity: 'committing' }).execute()
  const answer = await callDuringChange(desk.app, taking, () => cancel(id))
  expect([answer.status, answer.body.message]).toEqual([409, 'This import is being written to the register. Undo it afterwards.'])
  expect(await stateOf(id)).toBe('validated')
})

test('a commit is rejected when a cell is changed meanwhile', async () => {
  const { id, version } = await begin(desk, SOV)
  const edits = [{ row: 3, column: 'K', value: '7' }]
  const editing = async (tx: WriteContext) => updateImport(await byUser(tx), id, { edits })
  const answer = await callDuringChange(desk.app, editing, () => commit(desk, { id, version }))
  expect([answer.status, answer.body.message]).toEqual([409, 'This import has changed meanwhile. Please review the new preview.'])
  expect(await register(desk)).toEqual([])
})

test('a change is rejected when the import is written meanwhile', async () => {
  const { id } = await begin(desk, SOV)
  const committing = async (tx: WriteContext) => writeImport(await byUser(tx), id, [])
  const answer = await callDuringChange(desk.app, committing, () => put(desk, id, { mode: 'add_only' }))
  expect([answer.status, await stateOf(id)]).toEqual([409, 'committed'])
})

test('of a commit and a cancellation at the same time exactly one takes effect', { timeout: 60_000 }, async () => {
  const companyId = (await desk.app.viewer(desk.userId)).companyId
  for (let round = 0; round < 12; round += 1) {
    const account = await makeAccount(desk.app.system, { companyId, users: [desk.userId] })
    const own = { app: desk.app, userId: desk.userId, accountId: account.id }
    const data = await begin(own, manyRows(100))
    // A later round reads the import a few more times first, so that the cancellation comes at another step of the commit.
    const cancelLater = async () => {
      for (let step = 0; step < round; step += 1) await stateOf(data.id)
      return cancel(data.id)
    }
    const [committed, canceled] = await Promise.all([commit(own, data), cancelLater()])
    const outcome = [committed.status, canceled.status, canceled.body.data?.state, await stateOf(data.id), (await register(own)).length]
    // A cancellation after the commit is its undo.
    expect([
      [200, 409, undefined, 'committed', 100],
      [200, 200, 'undone', 'undone', 0],
      [409, 200, 'cancelled', 'cancelled', 0],
    ]).toContainEqual(outcome)
  }
})
