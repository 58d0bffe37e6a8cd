import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startRealtime } from '#server/engines/realtime/realtime.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { openSession } from '#server/features/session/session.commands.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { readTextOf } from '#server/testing/factories/texts.ts'
import { signatureFor, subscribeWith, type ReceivedEvent } from '#server/testing/sockets.fixture.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, ownerCtx } = await testTenant()

/** A page of the owner with these channels; returns the events that it receives. */
async function openPage(channels: readonly string[]): Promise<ReceivedEvent[]> {
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const realtime = await startRealtime(http, app.system)
  const { token } = await transact(app.system, (tx) =>
    openSession(tx, { userId: tenant.owner.id, kind: 'user', remember: false, address: '' }),
  )
  const { port } = http.address() as AddressInfo // of a server that listens on a port
  const socket = io(`http://127.0.0.1:${port}`, { auth: { token }, transports: ['websocket'], reconnection: false })
  onTestFinished(async () => {
    socket.close()
    await realtime.close()
    http.close()
  })
  const events: ReceivedEvent[] = []
  socket.on('model-updated', (event: ReceivedEvent) => events.push(event))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  const as = app.bearing(`Bearer ${token}`)
  for (const channel of channels) expect(await subscribeWith(socket, channel, await signatureFor(as, socket, channel)), channel).toBe(true)
  return events
}

it('a text that was read is an event of the list of documents only, which says that only the text changed', async () => {
  const { id } = await makeFile(ownerCtx, tenant.account)
  const account = `private-account.${tenant.account}`
  const documents = 'private-datatable.account_files'
  const events = await openPage([account, documents, 'private-datatable.accounts'])
  await readTextOf(ownerCtx, id)
  await vi.waitFor(() => expect(events.length).toBeGreaterThan(0), { timeout: 10_000 })
  // Events arrive in order: those of the text are complete when those of the next document begin.
  await makeFile(ownerCtx, tenant.account)
  await vi.waitFor(() => expect(events.some(({ channel }) => channel === account)).toBe(true), { timeout: 10_000 })
  const next = events.findIndex(({ data }) => data['scope'] !== 'texts')
  expect(events.slice(0, next)).toEqual([
    {
      channel: documents,
      data: { model: 'account_files', id: null, account_id: tenant.account, updatedAt: expect.any(String), scope: 'texts' },
    },
  ])
  expect(events[next]).toMatchObject({ channel: account, data: { scope: 'files' } })
})
