import { beforeAll, describe, expect, it } from 'vitest'
import type { TextHit } from '#contract/document-texts.ts'
import { TEXT_SHOWN_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import { paragraph, pdf, word } from '#server/engines/document-text/document-text.fixture.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { searchedPhrases } from '#server/engines/search/text-query.ts'
import { mayBeFrequent } from './frequent-words.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeReadFile, readTextOf } from '#server/testing/factories/texts.ts'

const { app, tenant, ownerCtx, owner, carrier } = await testTenant()
const { account } = tenant

const search = async (text: string, as: As = owner, more = ''): Promise<TextHit[]> => {
  const { status, body } = await as.get(`/api/v1/account_files/text-search?search=${encodeURIComponent(text)}${more}`)
  expect(status).toBe(200)
  return body.data
}
const found = async (text: string, as?: As, more?: string) => (await search(text, as, more)).map(({ name }) => name)
const shown = (hit: TextHit | undefined) => hit?.excerpt.map(({ text, is_match }) => (is_match ? `[${text}]` : text)).join('')

const LETTER = `Policy POL-2024-001 insures 123 N. Main St., Springfield, Illinois. The total insured value is $1,250,000.
The fire pump was tested. Sprinkler heads are painted.
Café “Ångström” is vacant.`

beforeAll(async () => {
  await makeReadFile(ownerCtx, account, { name: 'letter.txt', bytes: Buffer.from(LETTER) })
  const pages = ['Cover', 'The pump is old. The fire doors are blocked.', 'A second page about the fire pump.']
  await makeReadFile(ownerCtx, account, { name: 'survey.pdf', bytes: await pdf(pages), contentType: 'application/pdf' })
})

describe('a search in texts', () => {
  it.each([
    'sprinkler',
    'SPRINKLER heads',
    'heads sprinkler',
    'sprink',
    'POL-2024-001',
    'POL 2024 001',
    'policy pol-2024',
    '1250000',
    '1,250,000',
    '$1,250,000',
    '123 north main street',
    '123 n main st springfield il',
    'cafe angstrom',
    '"sprinkler heads"',
    '“sprinkler heads” painted',
    '"sprinkler heads',
  ])('for %s finds the document', async (text) => {
    expect(await found(text)).toEqual(['letter.txt'])
  })

  it.each([
    'sprinkl painted',
    'rinkler',
    '250000',
    '"heads sprinkler"',
    '2024-POL',
    '1,250,001',
    'sprinkler nowhere',
    '"nowhere" sprinkler',
  ])('for %s finds nothing', async (text) => {
    expect(await found(text)).toEqual([])
  })

  it('needs all words on one page', async () => {
    expect(await found('cover pump')).toEqual([])
  })

  it.each([
    '',
    ' ',
    '"',
    '""',
    "'",
    '&',
    '!',
    ':*',
    '<->',
    '\\',
    '%',
    '(fire',
    "fire' | 'x",
    '§',
    '🏠',
    'a'.repeat(200),
    '"a" '.repeat(50),
  ])('for %j does not fail', async (text) => {
    expect(await search(text.slice(0, 200))).toEqual(expect.any(Array))
  })

  it('shows the page and the sentence with the words', async () => {
    const [hit] = await search('second fire pump')
    expect(hit).toMatchObject({ name: 'survey.pdf', page: 3, place: 'Page 3', account: 'Zanzibar Stores', account_id: account })
    expect(shown(hit)).toBe('A [second] page about the [fire] [pump].')
    expect(shown((await search('sprinkl'))[0])).toBe('[Sprinkler] heads are painted.')
    expect(shown((await search('n main street'))[0])).toBe('Policy POL-2024-001 insures 123 [N]. [Main] [St]., Springfield, Illinois.')
    expect(shown((await search('value 1250000'))[0])).toBe('The total insured [value] is $[1,250,000].')
  })

  it('shows first where the words are next to each other, then the newest documents', async () => {
    expect(shown((await search('fire pump')).find(({ name }) => name === 'survey.pdf'))).toBe('A second page about the [fire] [pump].')
    await makeReadFile(ownerCtx, account, { name: 'apart.txt', bytes: Buffer.from('A pump. A fire.') })
    expect(await found('fire pump')).toEqual(['survey.pdf', 'letter.txt', 'apart.txt'])
    expect(await found('fire')).toEqual(['apart.txt', 'survey.pdf', 'letter.txt'])
  })

  it('finds the same documents for a phrase in the newest documents and in all of them', async () => {
    const { id } = await makeAccount(app.system, { companyId: tenant.company.id })
    const bodies = ['A wet riser.', 'A riser, wet.', 'A wet riser.', 'Dry.', 'The wet riser is old.']
    for (const [at, body] of bodies.entries()) await makeReadFile(ownerCtx, id, { name: `${at}.txt`, bytes: Buffer.from(body) })
    const [all, newest, most] = await Promise.all(
      ['50', '2', '3'].map((n) => found('"wet riser"', owner, `&filter__account_id=${id}&paginate=${n}`)),
    )
    expect(all).toEqual(['4.txt', '2.txt', '0.txt'])
    expect([newest, most]).toEqual([all?.slice(0, 2), all])
    expect(await found('"wet riser"', carrier, `&filter__account_id=${id}&paginate=2`)).toEqual([])
    // More pages than are read one by one.
    await app.asOwner(
      `INSERT INTO document_pages (file_id, part, company_id, account_id, place, body)
        SELECT file_id, 1000 + n, company_id, account_id, 'Page', 'Nothing here' FROM document_pages, generate_series(1, 300) n
          WHERE account_id = $1 AND body LIKE 'Dry%'`,
      [id],
    )
    expect(await found('"wet riser"', owner, `&filter__account_id=${id}&paginate=2`)).toEqual(newest)
  }, 60_000)

  it('finds the newest documents of words that are on very many pages', async () => {
    const many = await makeAccount(app.system, { companyId: tenant.company.id, name: 'Many' })
    const bytes = Buffer.from(`${'common words '.repeat(150)}\n`.repeat(11_000))
    for (const name of ['old.txt', 'new.txt']) await makeReadFile(ownerCtx, many.id, { name, bytes })
    expect(await found('common')).toEqual(['new.txt', 'old.txt'])
    expect(await found('common', owner, '&paginate=1')).toEqual(['new.txt'])
    expect(await found('common', owner, `&filter__account_id=${account}`)).toEqual([])
    expect(await found('common', carrier)).toEqual([])
  }, 60_000)
})

it('whether a word may be frequent is known from the statistics of the database', async () => {
  const isFrequent = (text: string) => Promise.all(searchedPhrases(text).map((phrase) => mayBeFrequent(ownerCtx, phrase)))
  const { id } = await makeAccount(app.system, { companyId: tenant.company.id })
  await makeReadFile(ownerCtx, id, { name: 'rare.txt', bytes: Buffer.from('A jaguarundi') })
  await app.asOwner(
    `INSERT INTO document_pages (file_id, part, company_id, account_id, place, body)
      SELECT file_id, 2000 + n, company_id, account_id, 'Page', 'Some usual words' FROM document_pages, generate_series(1, 300) n
        WHERE account_id = $1`,
    [id],
  )
  await app.asOwner('ANALYZE document_pages')
  ownerCtx.frequentWords.clear()
  for (const text of ['usual', 'usua', '"some usual"']) expect(await isFrequent(text), text).toEqual([true])
  for (const text of ['jaguarundi', 'jagua', '"usual jaguarundi"']) expect(await isFrequent(text), text).toEqual([false])
  expect(await found('jaguarundi', owner, '&paginate=1')).toEqual(['rare.txt'])
})

describe('the list of documents', () => {
  const list = async (query: string, as: As = owner) =>
    (await as.get(`/api/v1/account_files?filter__account_id=${account}&sort=name&order=asc&${query}`)).body

  it('finds documents by their text, with the place in it', async () => {
    const { data, meta } = await list('search=fire%20doors')
    expect(data).toMatchObject([{ name: { text: 'survey.pdf' }, text_match: { page: 2, place: 'Page 2' } }])
    expect(meta.total).toBe(1)
    expect((await list('search=survey')).data).toMatchObject([{ name: { text: 'survey.pdf' }, text_match: null }])
    expect((await list('')).data[0].text_match).toBeNull()
  })

  it('pages through, selects and exports the same documents', async () => {
    const { data } = await list('search=fire%20doors')
    const id = data[0].id as string
    expect((await owner.get(`/api/v1/accounts/${account}/files/${id}/details?search=fire%20doors`)).body.data).toMatchObject({
      total: 1,
      position: 1,
    })
    const filters = { filter__account_id: account, search: 'fire doors' }
    const exported = await owner.post('/api/v1/account_files/actions', {
      model: 'account_files',
      action: 'export_csv',
      handle: 'blob',
      input: 'all',
      filters,
    })
    expect(exported.raw.toString()).toContain('survey.pdf')
    expect(exported.raw.toString()).not.toContain('letter.txt')
  })

  it('does not find a document in the trash, also after it is restored until then', async () => {
    const { id } = await makeReadFile(ownerCtx, account, { name: 'gone.txt', bytes: Buffer.from('A quagga') })
    await owner.delete('/api/v1/account_files', { ids: [id] })
    expect([await found('quagga'), (await list('search=quagga')).meta.total]).toEqual([[], 0])
    await owner.post('/api/v1/account_files/restore', { ids: [id] })
    expect(await found('quagga')).toEqual(['gone.txt'])
    await owner.delete('/api/v1/account_files', { ids: [id] })
    await owner.delete('/api/v1/account_files', { ids: [id], force: true })
    const { rows } = { rows: await app.asOwner('SELECT 1 FROM document_pages WHERE file_id = $1', [id]) }
    expect(rows).toEqual([])
  })
})

describe('the text of a document that a viewer cannot open', () => {
  const list = (as: As, text: string) => as.get(`/api/v1/account_files?filter__account_id=${account}&search=${text}`)

  it('is in no answer to users without access to a private document', async () => {
    const { id } = await makeReadFile(ownerCtx, account, { name: 'plain.txt', bytes: Buffer.from('The okapi clause'), private: true })
    const people = { carrier, added: app.as(tenant.added.id), uploader: app.as(tenant.uploader.id) }
    for (const [who, as] of Object.entries(people)) {
      expect(await found('okapi', as), who).toEqual([])
      const answer = await list(as, 'okapi')
      expect([answer.status, answer.body.meta.total, answer.raw.includes('clause')], who).toEqual([200, 0, false])
    }
    expect(await found('okapi')).toEqual(['plain.txt'])
    await owner.patch(`/api/v1/accounts/${account}/files/${id}`, { private: false })
    expect(await found('okapi', carrier)).toEqual(['plain.txt'])
    await owner.patch(`/api/v1/accounts/${account}/files/${id}`, { private: true })
    expect(await found('okapi', carrier)).toEqual([])
  })

  it('is not found without the permission to preview or download, but the document is by its name', async () => {
    const { id } = await makeReadFile(ownerCtx, account, { name: 'named.txt', bytes: Buffer.from('The tapir clause') })
    const user = await makeUser(app.system, { companyId: tenant.company.id })
    const limited = await app.system.db
      .insertInto('roles')
      .values({
        company_id: tenant.company.id,
        name: 'names_only',
        label: 'Names only',
        permissions: ['view_account_files', 'view_account_files_datatable_search', 'view_company_accounts', 'view_accounts_component'],
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.system.db.updateTable('user_roles').set({ role_id: limited.id }).where('user_id', '=', user.id).execute()
    const as = app.as(user.id)
    expect((await as.get('/api/v1/account_files/text-search?search=tapir')).status).toBe(403)
    expect((await as.get(`/api/v1/accounts/${account}/files/${id}/text`)).status).toBe(403)
    expect([(await list(as, 'tapir')).body.meta.total, (await list(as, 'named')).body.data[0].text_match]).toEqual([0, null])
  })

  it('is the own of upload-only users', async () => {
    const uploader = await app.viewer(tenant.uploader.id)
    await makeReadFile({ ...app.system, viewer: uploader }, account, { name: 'mine.txt', bytes: Buffer.from('The numbat clause') })
    expect(await found('clause', app.as(tenant.uploader.id))).toEqual(['mine.txt'])
  })
})

describe('the text of a document without its file', () => {
  const textOf = (id: string, as: As = owner) => as.get(`/api/v1/accounts/${account}/files/${id}/text`)

  it('is shown by its places, and says whether it is read', async () => {
    const { id } = await makeFile(ownerCtx, account, { name: 'terms.docx', bytes: await word(paragraph('The wombat clause')) })
    expect((await textOf(id)).body.data).toEqual({ state: 'waiting', parts: [], is_cut: false })
    await readTextOf(ownerCtx, id)
    expect((await textOf(id)).body.data).toEqual({ state: 'done', parts: [{ place: '', body: 'The wombat clause' }], is_cut: false })
    const scan = await makeReadFile(ownerCtx, account, { name: 'scan.pdf', bytes: await pdf(['']), contentType: 'application/pdf' })
    expect((await textOf(scan.id)).body.data).toEqual({ state: 'no_text', parts: [], is_cut: false })
  })

  it('is the beginning of a long one', async () => {
    const bytes = Buffer.from('A line of a long letter.\n'.repeat(30_000))
    const { id } = await makeReadFile(ownerCtx, account, { name: 'long.txt', bytes })
    const { parts, is_cut: isCut } = (await textOf(id)).body.data
    const shown = parts.map(({ body }: { body: string }) => body).join('')
    expect([isCut, shown.length >= TEXT_SHOWN_MAX_CHARACTERS, shown.length < bytes.length]).toEqual([true, true, true])
  })

  it('is not there for users who do not see the document', async () => {
    const { id } = await makeReadFile(ownerCtx, account, { name: 'secret.txt', bytes: Buffer.from('The quokka clause'), private: true })
    expect((await textOf(id, carrier)).status).toBe(404)
  })
})
