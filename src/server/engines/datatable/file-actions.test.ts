import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AccountRow } from '#contract/accounts.ts'
import { listCalls } from '#contract/datatable.ts'
import { createLog } from '#server/kernel/log.ts'
import { implement, mountRoutes } from '#server/engines/http/answer.ts'
import { createServer } from '#server/engines/http/server.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { accountDatatable } from '#server/features/accounts/accounts.datatable.ts'
import { openSession } from '#server/features/session/session.commands.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import type { ActionDefinition } from './define-datatable.ts'
import { listHandlers } from './list-routes.ts'

/** The list of accounts with an action that answers a file. */
const { app, tenant } = await testTenant()
const foreign = (await makeAccount(app.system)).id
const received: unknown[] = []
const exportCsv: ActionDefinition = {
  label: 'Export',
  can: 'view_accounts_component',
  prompt: { message: 'Which columns?', type: 'text', name: 'columns' },
  file: { name: 'accounts.csv', supportsPrefix: true },
  run: async (_ctx, ids, input) => {
    received.push({ ids, input })
    return { contentType: 'text/csv; charset=utf-8', body: Buffer.from(`id\n${ids.join('\n')}\n`) }
  },
}
const plain: ActionDefinition = { ...exportCsv, file: { name: 'plain.csv' } }
const calls = listCalls('accounts', AccountRow)
const table = { ...accountDatatable, actions: { export_csv: exportCsv, plain_csv: plain } }

let server: FastifyInstance
let authorization: string
beforeAll(async () => {
  server = await createServer(app.system.config, createLog({ level: 'fatal' }))
  mountRoutes(server, app.system, implement(calls, listHandlers(table, calls.index)))
  const session = { userId: tenant.owner.id, kind: 'user', remember: false, address: '127.0.0.1' } as const
  authorization = `Bearer ${(await transact(app.system, (tx) => openSession(tx, session))).token}`
})
afterAll(() => server.close())

const url = '/api/v1/accounts/actions'
const act = (payload: object) => server.inject({ method: 'POST', url, payload, headers: { authorization } })
const sent = { model: 'accounts', action: 'export_csv', handle: 'blob', selectedIds: [tenant.account], input: { columns: 'id' } }

describe('an action that answers a file', () => {
  it('is described with its handle, file name and prefix', async () => {
    const { data } = (await server.inject({ url, headers: { authorization } })).json()
    expect(data[0]).toEqual({
      action: 'export_csv',
      label: 'Export',
      handle: 'blob',
      prompt: { message: 'Which columns?', type: 'text', name: 'columns' },
      fileName: 'accounts.csv',
      supportsPrefix: true,
    })
    expect(data[1]).toMatchObject({ handle: 'blob', fileName: 'plain.csv', supportsPrefix: false })
  })

  it('answers the bytes under its name, or with the prefix that was sent', async () => {
    for (const [fileName, name] of [
      [null, 'accounts.csv'],
      ['accounts.csv', 'accounts.csv'],
      ['Zürich accounts.csv', 'Z%C3%BCrich%20accounts.csv'],
    ]) {
      const { statusCode, headers, body } = await act({ ...sent, fileName })
      expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/csv; charset=utf-8', `id\n${tenant.account}\n`])
      expect(headers['content-disposition']).toMatch(/^attachment;/)
      expect(headers['content-disposition']).toContain(`filename*=UTF-8''${name}`)
      expect(headers['cache-control']).toBe('no-store')
    }
    expect(received.at(-1)).toEqual({ ids: [tenant.account], input: { columns: 'id' } })
    expect((await act({ ...sent, selectedIds: [], input: 'all' })).statusCode).toBe(200)
    expect(received.at(-1)).toEqual({ ids: [tenant.account], input: {} })
  })

  it('accepts its own name also if it does not support a prefix', async () => {
    expect((await act({ ...sent, action: 'plain_csv', fileName: 'plain.csv' })).statusCode).toBe(200)
  })

  it('rejects another name, a prefix that it does not support, and another handle', async () => {
    const errors = async (body: object) => (await act({ ...sent, ...body })).json().errors
    const prefixed = { fileName: ['Please use the name accounts.csv after a prefix.'] }
    for (const fileName of ['accounts.exe', '../accounts.csv', 'a\\accounts.csv']) expect(await errors({ fileName })).toEqual(prefixed)
    expect(await errors({ action: 'plain_csv', fileName: 'x plain.csv' })).toEqual({ fileName: ['Please use the name plain.csv.'] })
    expect(await errors({ handle: 'json' })).toEqual({ handle: ['This action answers blob.'] })
  })

  it('is rejected as a whole with JSON if one of the records is not visible', async () => {
    const count = received.length
    const { statusCode, headers } = await act({ ...sent, selectedIds: [tenant.account, foreign] })
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
    expect(received).toHaveLength(count)
  })
})
