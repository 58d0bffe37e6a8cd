import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/limits.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { movingClock } from '#server/testing/moving-clock.fixture.ts'
import { enqueue } from '../jobs/define-job.ts'
import { transact } from '../transaction/transact.ts'
import { openMail } from './mail.ts'
import { enqueueMail, sendMail } from './send-mail.job.ts'
import { StoredMessage } from './stored-message.ts'
import { startSmtpServer, type SmtpServer } from './smtp-server.fixture.ts'

type Mailing = Parameters<typeof enqueueMail>[1]

const clock = movingClock()
let smtp: SmtpServer
let app: TestApp
beforeAll(async () => {
  smtp = await startSmtpServer()
  app = await testApp({ worker: true, clock, env: { MAIL_URL: smtp.url, LOG_LEVEL: 'silent' } })
})
afterEach(async () => {
  await app.system.pool.query("DELETE FROM pgboss.job WHERE name IN ('send-mail', 'send-urgent-mail')")
  smtp.received.length = 0
  for (const step of ['greeting', 'sender', 'recipient', 'message'] as const) smtp.answers[step] = () => undefined
})
afterAll(async () => {
  await app.stop()
  await smtp.close()
})

const CONTENT = { subject: 'Hello', preview: 'Hello', heading: 'Hello', paragraphs: ['Good morning.'], reason: 'A test sent it.' }
const queue = (key: string, changes: Partial<Mailing> = {}) =>
  transact(app.system, (tx) => enqueueMail(tx, { to: `${key}@example.test`, key, ...CONTENT, ...changes }))

interface Stored {
  key: string
  state: string
  tries: number
  wait: number
  output: string | null
}
const jobs = async (): Promise<Stored[]> => {
  const { rows } = await app.system.pool.query<Stored>(`SELECT data->>'key' AS key, state::text, retry_count AS tries,
      extract(epoch FROM start_after - now())::float AS wait, output->>'failed' AS output
    FROM pgboss.job WHERE name IN ('send-mail', 'send-urgent-mail') ORDER BY created_on`)
  return rows
}
const jobOf = async (key: string) => (await jobs()).find((job) => job.key === key)
const TIMEOUT = { timeout: 20_000, interval: 50 }

/** Waits until no message is due: all are sent, have failed or wait for a later try. */
const settled = () =>
  vi.waitFor(async () => {
    const due = (await jobs()).filter(({ state, wait }) => state === 'active' || (['created', 'retry'].includes(state) && wait <= 0))
    expect(due).toEqual([])
  }, TIMEOUT)

/** Moves the clock of the server, and by as much the waiting tries, whose time is that of the database. */
async function pass(ms: number) {
  clock.pass(ms)
  await app.system.pool.query(
    `UPDATE pgboss.job SET start_after = start_after - make_interval(secs => $1::float) WHERE name IN ('send-mail', 'send-urgent-mail')`,
    [ms / 1_000],
  )
  await settled()
}

describe('a mail server that is down for an hour', () => {
  it('gets each message once when it is back, but no codes and links that have expired', async () => {
    smtp.answers.greeting = () => '421 Service not available'
    const keys = Array.from({ length: 12 }, (_, index) => `notice${index}`)
    for (const key of keys) await queue(key)
    await queue('code', { validForMs: 10 * MINUTE_MS, code: '012345' })
    await queue('link', { validForMs: HOUR_MS })
    await queue('welcome', { validForMs: 7 * DAY_MS })
    await settled()
    expect(new Set((await jobs()).map(({ state }) => state))).toEqual(new Set(['retry']))
    for (let minutes = 0; minutes < 60; minutes += 6) await pass(6 * MINUTE_MS)
    expect(smtp.received).toEqual([])

    smtp.answers.greeting = () => undefined
    await pass(20 * MINUTE_MS)
    expect(smtp.received.map(({ to }) => to).sort()).toEqual([...keys, 'welcome'].map((key) => `${key}@example.test`).sort())
    expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(13)
    expect(await jobOf('code')).toMatchObject({ state: 'failed', output: expect.stringContaining('is no longer sent') })
    expect(await jobOf('link')).toMatchObject({ state: 'failed', output: expect.stringContaining('is no longer sent') })
    await pass(DAY_MS)
    expect(smtp.received).toHaveLength(13)
  }, 60_000)

  it('does not end the tries of a message for three days', async () => {
    smtp.answers.greeting = () => '421 Service not available'
    await queue('patient')
    await settled()
    await pass(3 * DAY_MS - HOUR_MS)
    // As after a try every 15 minutes, which are the most.
    await app.system.pool.query("UPDATE pgboss.job SET retry_count = 4 * 24 * 3 WHERE data->>'key' = 'patient'")
    await pass(30 * MINUTE_MS)
    expect(await jobOf('patient')).toMatchObject({ state: 'retry', tries: 4 * 24 * 3 + 1 })
    await pass(HOUR_MS)
    expect(await jobOf('patient')).toMatchObject({ state: 'failed', output: expect.stringContaining('is no longer sent') })
  }, 60_000)

  it('gets tries of each message at growing intervals of at most 15 minutes, and 30 seconds for urgent ones', async () => {
    smtp.answers.greeting = () => '421 Service not available'
    await queue('calm')
    await queue('urgent', { validForMs: HOUR_MS })
    await settled()
    await app.system.pool.query("UPDATE pgboss.job SET retry_count = 20 WHERE data->>'key' IN ('calm', 'urgent')")
    await pass(MINUTE_MS)
    const [calm, urgent] = [await jobOf('calm'), await jobOf('urgent')]
    expect([calm?.tries, urgent?.tries]).toEqual([21, 21])
    expect(calm?.wait).toBeGreaterThan(14 * 60)
    expect(calm?.wait).toBeLessThanOrEqual(15 * 60)
    expect(urgent?.wait).toBeLessThanOrEqual(30)
  }, 60_000)

  it('gets only the newest of the codes for one sign-in', async () => {
    smtp.answers.greeting = () => '421 Service not available'
    await queue('first', { topic: 'code 1', validForMs: 10 * MINUTE_MS })
    clock.pass(MINUTE_MS)
    await queue('second', { topic: 'code 1', validForMs: 10 * MINUTE_MS })
    await queue('other', { topic: 'code 2', validForMs: 10 * MINUTE_MS })
    await settled()
    smtp.answers.greeting = () => undefined
    await pass(2 * MINUTE_MS)
    expect(smtp.received.map(({ to }) => to).sort()).toEqual(['other@example.test', 'second@example.test'])
    expect(await jobOf('first')).toMatchObject({ state: 'failed', output: 'A newer message replaces this one.' })
  }, 60_000)
})

describe('a message', () => {
  it.each([
    ['a recipient who does not exist', 'recipient', '550 5.1.1 No such user'],
    ['a message that is rejected', 'message', '554 5.6.0 Message rejected'],
  ] as const)('is not tried again after %s', async (_name, step, answer) => {
    smtp.answers[step] = () => answer
    await queue(`rejected ${step}`, { to: `rejected-${step}@example.test` })
    await settled()
    expect(await jobOf(`rejected ${step}`)).toMatchObject({ state: 'failed', tries: 0, output: expect.stringContaining(answer) })
  })

  it.each([
    ['a recipient who is greylisted', 'recipient', '451 4.7.1 Try again later'],
    ['a full mailbox', 'message', '452 4.2.2 Mailbox full'],
    ['a sender who must sign in', 'sender', '530 5.7.0 Authentication required'],
    ['a server that does not relay', 'recipient', '550 5.7.1 Relaying denied'],
  ] as const)('is tried again after %s', async (name, step, answer) => {
    smtp.answers[step] = () => answer
    await queue(name, { to: 'again@example.test' })
    await settled()
    expect(await jobOf(name)).toMatchObject({ state: 'retry' })
    smtp.answers[step] = () => undefined
    await pass(MINUTE_MS)
    expect(smtp.received.map(({ to }) => to)).toEqual(['again@example.test'])
  })

  it('with a code does not wait for others that the server is slow to answer', async () => {
    const slow: string[] = []
    smtp.answers.recipient = (line) => {
      if (!line.includes('slow')) return undefined
      slow.push(line)
      return '250-wait' // the first line of an answer that never ends
    }
    await queue('slow1')
    await queue('slow2')
    await vi.waitFor(() => expect(slow).toHaveLength(2), TIMEOUT)
    await queue('stuck')
    await queue('quick', { validForMs: 10 * MINUTE_MS })
    await vi.waitFor(() => expect(smtp.received.map(({ to }) => to)).toEqual(['quick@example.test']), TIMEOUT)
    expect(await jobOf('stuck')).toMatchObject({ state: 'created' })
    smtp.hangUp()
    await vi.waitFor(() => expect(smtp.received.map(({ to }) => to)).toContain('stuck@example.test'), TIMEOUT)
  }, 60_000)
})

describe('the queue', () => {
  const SECRETS = ['918273', 'https://plumbline.example/reset-password/made-up', 'Blue folder']
  const storedOf = async (key: string) => {
    const { rows } = await app.system.pool.query<{ text: string }>("SELECT j::text AS text FROM pgboss.job j WHERE data->>'key' = $1", [
      key,
    ])
    return rows.map(({ text }) => text).join()
  }
  const queueSecrets = (key: string, changes: Partial<Mailing> = {}) =>
    queue(key, { code: SECRETS[0] ?? '', button: { label: 'Open', url: SECRETS[1] ?? '' }, subject: SECRETS[2] ?? '', ...changes })

  it('has neither the code nor the link of a message that waits, and nothing of one that was sent but its key', async () => {
    smtp.answers.greeting = () => '421 Service not available'
    await queueSecrets('waiting')
    await settled()
    const waiting = await storedOf('waiting')
    for (const secret of SECRETS) expect(waiting).not.toContain(secret)
    smtp.answers.greeting = () => undefined
    await pass(MINUTE_MS)
    for (const secret of SECRETS) expect(smtp.received[0]?.content).toContain(secret)
    expect(await jobOf('waiting')).toMatchObject({ state: 'completed' })
    const sent = await storedOf('waiting')
    expect(sent).not.toContain('sealed')
    expect(sent).not.toContain('@example.test')
  })

  it('has nothing of a message that is no longer sent or was rejected', async () => {
    smtp.answers.recipient = () => '550 5.1.1 No such user'
    await queueSecrets('rejected')
    await queueSecrets('late', { validForMs: -1 })
    await settled()
    for (const key of ['rejected', 'late']) {
      expect(await jobOf(key)).toMatchObject({ state: 'failed' })
      expect(await storedOf(key)).not.toContain('sealed')
    }
  })

  it('sends a message that an earlier version has stored with its content, and removes the content', async () => {
    const legacy = { to: 'old@example.test', subject: 'Blue folder', text: 'Code 918273', html: '<p>918273</p>', key: 'legacy' }
    await transact(app.system, (tx) => enqueue(tx, sendMail, legacy))
    await settled()
    expect(smtp.received.map(({ to }) => to)).toEqual(['old@example.test'])
    expect(await storedOf('legacy')).not.toMatch(/918273|Blue folder/)
  })

  it('does not send a message again by another process if it is emptied', async () => {
    await queue('once')
    await settled()
    const { rows } = await app.system.pool.query<{ data: unknown }>("SELECT data FROM pgboss.job WHERE data->>'key' = 'once'")
    const other = await openMail(app.system.config)
    const job = { id: randomUUID(), attempt: 2, lastAttempt: false, signal: new AbortController().signal }
    await sendMail.run({ ...app.system, mail: other }, StoredMessage.parse(rows[0]?.data), job)
    await other.close()
    expect(smtp.received).toHaveLength(1)
  })
})

describe('a message whose job runs again after the server accepted it', () => {
  const restart = (key: string) =>
    app.system.pool.query(`UPDATE pgboss.job SET state = 'retry', completed_on = NULL WHERE data->>'key' = $1`, [key])

  it('is not sent again by the same process', async () => {
    await queue('accepted')
    await settled()
    await restart('accepted')
    await settled()
    expect(await jobOf('accepted')).toMatchObject({ state: 'completed' })
    expect(smtp.received.map(({ to }) => to)).toEqual(['accepted@example.test'])
  })

  it('has the same Message-ID and date when another process sends it again', async () => {
    const { config } = app.system
    const message = {
      to: 'ada@example.test',
      subject: 'Hello',
      text: 'Hello',
      html: 'Hello',
      key: 'twice',
      date: '2026-01-02T03:04:05.000Z',
    }
    for (let process = 0; process < 2; process += 1) {
      const mail = await openMail(config)
      await mail.send(message)
      await mail.close()
    }
    const headers = smtp.received.map(({ messageId, content }) => [messageId, /^Date: (.*)\r$/m.exec(content)?.[1]])
    expect(headers[0]).toEqual([expect.stringMatching(/^<[\da-f]{40}@localhost>$/), 'Fri, 02 Jan 2026 03:04:05 +0000'])
    expect(headers[1]).toEqual(headers[0])
  })
})
