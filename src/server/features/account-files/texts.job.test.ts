import { beforeEach, describe, expect, it, vi } from 'vitest'
import { email, pdf } from '#server/engines/document-text/document-text.fixture.ts'
import { testApp } from '#server/testing/app.ts'
import type { Context } from '#server/engines/context.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeTenant, testTenant } from '#server/testing/tenants.fixture.ts'
import { AppError } from '#server/kernel/errors.ts'
import { QUEUED_AT_ONCE, queueUnreadTexts, readDocumentText } from './texts.job.ts'
import { readTextOf } from '#server/testing/factories/texts.ts'

const { app, tenant, ownerCtx, owner } = await testTenant()
const { account } = tenant

const textOf = async (id: string) => (await owner.get(`/api/v1/accounts/${account}/files/${id}`)).body.data.text
const unread = async () => (await owner.get(`/api/v1/account_files/unread-texts?filter__account_id=${account}`)).body.data
const listed = async (text: string) =>
  (await owner.get(`/api/v1/account_files?filter__account_id=${account}&filter__text=${text}`)).body.meta.total
const pagesOf = async (id: string) =>
  (await app.asOwner('SELECT count(*)::int AS n FROM document_pages WHERE file_id = $1', [id]))[0]?.['n']

const queueOlder = () =>
  queueUnreadTexts.run(app.system, {}, { id: '', attempt: 1, lastAttempt: false, signal: new AbortController().signal })

describe('the text of a document', () => {
  it('waits first, then is known with its numbers, in the answer of the document', async () => {
    const { id } = await makeFile(ownerCtx, account, { bytes: await pdf(['The roof', '']), contentType: 'application/pdf' })
    expect(await textOf(id)).toMatchObject({ state: 'waiting', failure: null, pages: null, characters: 0 })
    await readTextOf(ownerCtx, id)
    expect(await textOf(id)).toEqual({
      state: 'done',
      failure: null,
      pages: 2,
      pages_without_text: 1,
      characters: 8,
      is_cut: false,
      unread_attachments: { count: 0, first: [] },
    })
  })

  it('of a message says how many attachments have no text, and names the first of them', async () => {
    const attached = Array.from({ length: 7 }, (_, at) => ({ name: `plan ${at}.pdf`, bytes: Buffer.alloc(100) }))
    const { id } = await makeFile(ownerCtx, account, {
      bytes: email('The roof', attached),
      contentType: 'message/rfc822',
      name: 'plans.eml',
    })
    await readTextOf(ownerCtx, id)
    const first = attached.slice(0, 5).map(({ name }) => ({ name, reason: 'damaged' }))
    expect(await textOf(id)).toMatchObject({ state: 'done', unread_attachments: { count: 7, first } })
  })

  it.each([
    ['a damaged file', Buffer.from('%PDF-1.7 nothing'), 'application/pdf', { state: 'failed', failure: 'damaged' }],
    ['a photo, which is not fetched', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png', { state: 'not_supported' }],
    ['a mail without a text', email(''), 'message/rfc822', { state: 'done' }],
  ])('has a known state for %s', async (_, bytes, contentType, expected) => {
    const { id } = await makeFile(ownerCtx, account, { bytes, contentType })
    await readTextOf(ownerCtx, id)
    expect(await textOf(id)).toMatchObject(expected)
  })

  it('is stored once by several jobs at the same time', async () => {
    const { id } = await makeFile(ownerCtx, account, { bytes: Buffer.from('The roof'), contentType: 'text/plain', name: 'roof.txt' })
    await Promise.all(Array.from({ length: 12 }, () => readTextOf(ownerCtx, id)))
    expect(await pagesOf(id)).toBe(1)
    expect(await textOf(id)).toMatchObject({ state: 'done', characters: 8 })
  })

  it('is missing if the store has no object', async () => {
    const { id, key } = await makeFile(ownerCtx, account)
    await app.system.storage.remove(key)
    await readTextOf(ownerCtx, id)
    expect(await textOf(id)).toMatchObject({ state: 'failed', failure: 'missing' })
  })

  it('waits again if the store cannot be reached, without an attempt', async () => {
    const { id } = await makeFile(ownerCtx, account)
    const storage = { ...ownerCtx.storage, read: () => Promise.reject(new AppError('unavailable', 'Away')) }
    for (let at = 0; at < 5; at += 1) await expect(readTextOf({ ...ownerCtx, storage }, id)).rejects.toThrow('Away')
    expect(await textOf(id)).toMatchObject({ state: 'waiting' })
    await readTextOf(ownerCtx, id)
    expect(await textOf(id)).toMatchObject({ state: 'done' })
  })

  it('waits again if the process stops', async () => {
    const { id } = await makeFile(ownerCtx, account)
    await expect(readTextOf(ownerCtx, id, AbortSignal.abort())).rejects.toThrow('Stopped')
    expect(await textOf(id)).toMatchObject({ state: 'waiting' })
  })

  it('is not read again after it ended three processes', async () => {
    const { id } = await makeFile(ownerCtx, account)
    await app.asOwner(`UPDATE document_texts SET state = 'reading', attempts = 2 WHERE file_id = $1`, [id])
    await readTextOf(ownerCtx, id)
    expect(await textOf(id)).toMatchObject({ state: 'done' })
    await app.asOwner(`UPDATE document_texts SET state = 'reading', attempts = 3 WHERE file_id = $1`, [id])
    await readTextOf(ownerCtx, id)
    expect(await textOf(id)).toMatchObject({ state: 'failed', failure: 'too_large' })
  })

  it('is not stored for a document that is permanently deleted while it is read', async () => {
    const { id } = await makeFile(ownerCtx, account)
    const storage = {
      ...ownerCtx.storage,
      read: async (key: string) => {
        const bytes = await ownerCtx.storage.read(key)
        await owner.delete('/api/v1/account_files', { ids: [id] })
        await owner.delete('/api/v1/account_files', { ids: [id], force: true })
        return bytes
      },
    }
    await readTextOf({ ...ownerCtx, storage }, id)
    expect(await pagesOf(id)).toBe(0)
  })

  it('does not move its account to the front of lists', async () => {
    const { id } = await makeFile(ownerCtx, account)
    const changed = async () => (await owner.get(`/api/v1/accounts/${account}`)).body.data.updated_at
    const before = await changed()
    await readTextOf(ownerCtx, id)
    expect(await changed()).toBe(before)
  })
})

describe('documents that a search cannot find by their text', () => {
  it('are counted, as the list counts them with the filter', async () => {
    const before = await unread()
    const { id } = await makeFile(ownerCtx, account)
    expect(await unread()).toEqual({ ...before, waiting: before.waiting + 1 })
    expect(await unread()).toEqual({ waiting: await listed('waiting'), unreadable: await listed('unreadable') })
    const { id: photo } = await makeFile(ownerCtx, account, { bytes: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') })
    await readTextOf(ownerCtx, id)
    await readTextOf(ownerCtx, photo)
    expect(await unread()).toEqual({ waiting: before.waiting, unreadable: before.unreadable + 1 })
    expect(await unread()).toEqual({ waiting: await listed('waiting'), unreadable: await listed('unreadable') })
    expect(await listed('searchable')).toBeGreaterThan(0)
  })
})

describe('the job', () => {
  it('reads a new document, and older ones in batches until none is left', async () => {
    const running = await testApp({ worker: true })
    try {
      const { ids, owner: person, account: id } = await makeTenant(running)
      const states = async () =>
        (await running.asOwner('SELECT state, count(*)::int AS n FROM document_texts GROUP BY state ORDER BY state')).map((row) => [
          row['state'],
          row['n'],
        ])
      await vi.waitFor(async () => expect(await states()).toEqual([['done', 1]]), { timeout: 30_000 })
      const hits = await running.as(person.id).get('/api/v1/account_files/text-search?search=document')
      expect(hits.body.data).toMatchObject([{ id: ids.account_files, account_id: id }])
    } finally {
      await running.stop()
    }
  }, 60_000)

  it('queues a limited number of older documents at once, and continues with the others', async () => {
    await app.asOwner('DELETE FROM pgboss.job')
    await app.asOwner(`INSERT INTO account_files (account_id, storage_key, original_file_name, content_type, size)
      SELECT '${account}', 'old/' || n, n || '.txt', 'text/plain', 1 FROM generate_series(1, ${QUEUED_AT_ONCE + 50}) n`)
    await app.asOwner(`UPDATE document_texts SET queued_at = now() WHERE state = 'waiting' AND file_id NOT IN (
      SELECT id FROM account_files WHERE storage_key LIKE 'old/%')`)
    const waiting = Number(
      (await app.asOwner(`SELECT count(*)::int AS n FROM document_texts WHERE state = 'waiting' AND queued_at IS NOT NULL`))[0]?.['n'],
    )
    const queued = async (name: string) =>
      Number((await app.asOwner('SELECT count(*)::int AS n FROM pgboss.job WHERE name = $1', [name]))[0]?.['n'])
    await queueOlder()
    expect([await queued('read-document-text'), await queued('queue-unread-texts')]).toEqual([QUEUED_AT_ONCE - waiting, 1])
    await queueOlder()
    expect(await queued('read-document-text')).toBe(QUEUED_AT_ONCE - waiting)
    await app.asOwner(`UPDATE document_texts SET state = 'done' WHERE queued_at IS NOT NULL AND state = 'waiting'`)
    await queueOlder()
    expect(await queued('read-document-text')).toBe(QUEUED_AT_ONCE + 50)
  })
})

describe('accounts take turns', () => {
  beforeEach(async () => {
    await app.asOwner('DELETE FROM pgboss.job')
    await app.asOwner(`UPDATE document_texts SET state = 'no_text', failure = NULL`)
  })

  /** The names of the documents that are read next, without reading them. */
  const next = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    while (ids.length < count) {
      const [job] = await app.system.jobs.boss.fetch<{ file_id: string }>(readDocumentText.name)
      if (job === undefined) break
      ids.push(job.data.file_id)
    }
    const files = await app.asOwner('SELECT id, original_file_name FROM account_files WHERE id = ANY($1)', [ids])
    const names = new Map(files.map((file) => [file['id'], String(file['original_file_name'])]))
    return ids.map((id) => names.get(id) ?? '')
  }
  const add = async (ctx: Context, accountId: string, name: string, count: number) => {
    for (let at = 1; at <= count; at += 1) await makeFile(ctx, accountId, { name: `${name}${at}.txt` })
  }
  const otherAccount = async (companyId?: string) => {
    const user = await makeUser(app.system, companyId === undefined ? {} : { companyId })
    const { id } = await makeAccount(app.system, { companyId: user.companyId })
    return { id, ctx: { ...app.system, viewer: await app.viewer(user.id) } }
  }

  it('when documents of another company are added behind many of one account', async () => {
    await add(ownerCtx, account, 'a', 30)
    const other = await otherAccount()
    await add(other.ctx, other.id, 'b', 3)
    expect(await next(7)).toEqual(['a1.txt', 'b1.txt', 'a2.txt', 'b2.txt', 'a3.txt', 'b3.txt', 'a4.txt'])
  })

  it('in one company, whose documents in many accounts are not ahead of those of another company', async () => {
    await add(ownerCtx, account, 'a', 4)
    for (const name of ['b', 'c', 'd']) await add(ownerCtx, (await otherAccount(tenant.company.id)).id, name, 1)
    const other = await otherAccount()
    await add(other.ctx, other.id, 'e', 2)
    expect(await next(9)).toEqual(['a1.txt', 'e1.txt', 'a2.txt', 'b1.txt', 'e2.txt', 'a3.txt', 'c1.txt', 'a4.txt', 'd1.txt'])
  })

  it('with a document that gets a new version while it waits, which is read once', async () => {
    await add(ownerCtx, account, 'a', 2)
    const { id } = await makeFile(ownerCtx, account, { name: 'a3.txt' })
    await makeFile(ownerCtx, account, { name: 'a3.txt', replaces: id })
    expect(await next(9)).toEqual(['a1.txt', 'a2.txt', 'a3.txt'])
  })

  it('with documents without a job, which wait behind new ones', async () => {
    const other = await otherAccount()
    await add(other.ctx, other.id, 'b', 2)
    await add(ownerCtx, account, 'a', 5)
    await app.asOwner('DELETE FROM pgboss.job')
    await app.asOwner(`UPDATE document_texts SET queued_at = NULL WHERE state = 'waiting'`)
    await queueOlder()
    await add(ownerCtx, account, 'new', 3)
    const older = ['a5.txt', 'b2.txt', 'a4.txt', 'b1.txt', 'a3.txt', 'a2.txt', 'a1.txt']
    expect(await next(20)).toEqual(['new1.txt', 'new2.txt', 'new3.txt', ...older])
  })

  it('in the choice of documents without a job', async () => {
    const other = await otherAccount()
    await add(other.ctx, other.id, 'b', 2)
    await app.asOwner(`INSERT INTO account_files (account_id, storage_key, original_file_name, content_type, size)
      SELECT '${account}', 'many/' || n, n || '.txt', 'text/plain', 1 FROM generate_series(1, ${QUEUED_AT_ONCE + 50}) n`)
    await app.asOwner('DELETE FROM pgboss.job')
    await app.asOwner(`UPDATE document_texts SET queued_at = NULL WHERE state = 'waiting'`)
    await queueOlder()
    expect((await next(4)).filter((name) => name.startsWith('b'))).toHaveLength(2)
    expect(await next(QUEUED_AT_ONCE)).toHaveLength(QUEUED_AT_ONCE - 4)
  })
})
