import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { hasWords } from './matching.ts'
import { searchWords } from './search-words.ts'

const { app, tenant, owner } = await testTenant()

const account = await makeAccount(app.system, { companyId: tenant.company.id, name: 'Ångström & Søn Café’s' })
const ADDRESSES = {
  main: { address: '123 North Main St', city: 'Springfield', state: 'IL', postal_code: '62701-1234' },
  saint: { address: '77 Saint Charles Avenue', address_2: 'Suite 400', city: 'New Orleans', state: 'LA', postal_code: '70130' },
  fifth: { address: '350 5th Ave', city: 'New York', state: 'NY', postal_code: '10118' },
  west: { address: '1600 N.W. 42nd Street', address_2: '#12', city: 'Fort Lauderdale', state: 'FL', postal_code: '33309' },
  parkway: { address: '2200 O’Brien Pkwy.', city: 'St. Louis', state: 'MO', postal_code: '63101' },
  quebec: { address: '11, rue Sainte-Cathérine', city: 'Montréal', state: 'QC', postal_code: 'H2X 1K4', country: 'CA' },
  other: { address: '5123 Maine Court', city: 'Bangor', state: 'ME', postal_code: '04401' },
} as const
const names = new Map<string, string>()
for (const [name, values] of Object.entries(ADDRESSES)) {
  const { id } = await makeProperty(app.system, account.id, { property_name: null, ...values })
  names.set(id, name)
}

const found = async (model: string, search: string, as: As = owner): Promise<{ id: string; name: string }[]> =>
  (await as.get(`/api/v1/${model}/search?paginate=100&search=${encodeURIComponent(search)}`)).body.data ?? []
const properties = async (search: string) => (await found('account_properties', search)).flatMap(({ id }) => names.get(id) ?? [])

describe('a search for an address', () => {
  it.each([
    ['123 n main street', 'main'],
    ['123 North Main St', 'main'],
    ['123 N. MAIN ST., Springfield, Illinois', 'main'],
    ['123 n main stre', 'main'],
    ['main springfield', 'main'],
    ['62701', 'main'],
    ['62701-9999', 'main'],
    ['springfield il', 'main'],
    ['Springfield, Illinois', 'main'],
    ['77 st charles ave', 'saint'],
    ['77 saint charles avenue ste 400', 'saint'],
    ['77 St. Charles Ave #400', 'saint'],
    ['77 st charles unit 400', 'saint'],
    ['new orleans louisiana', 'saint'],
    ['350 fifth avenue', 'fifth'],
    ['350 5th av new york ny', 'fifth'],
    ['5th ave ny', 'fifth'],
    ['1600 nw 42nd st', 'west'],
    ['1600 northwest 42nd st apt 12', 'west'],
    ['1600 n w 42nd', 'west'],
    ['2200 obrien parkway', 'parkway'],
    ["2200 o'brien pky", 'parkway'],
    ['saint louis missouri', 'parkway'],
    ['st louis', 'parkway'],
    ['rue sainte catherine montreal', 'quebec'],
    ['SAINTE-CATHÉRINE', 'quebec'],
    ['11 rue', 'quebec'],
  ])('for %s finds only the one', async (search, name) => {
    expect(await properties(search)).toEqual([name])
  })

  it('finds a house number from its beginning only', async () => {
    expect(await properties('123 main')).toEqual(['main'])
    expect(await properties('123')).toEqual(expect.arrayContaining(['main', 'other']))
    expect(await properties('1600 42nd')).toEqual(['west'])
    expect(await properties('600 42nd')).toEqual([])
    expect(await properties('5123 maine')).toEqual(['other'])
    expect(await properties('2701 springfield')).toEqual([])
  })

  it('needs every word', async () => {
    expect(await properties('123 n main street chicago')).toEqual([])
    expect(await properties('123 south main street')).toEqual([])
  })

  it('finds the same properties in the list', async () => {
    const { data } = (await owner.get('/api/v1/account_properties?search=123%20n%20main%20street')).body
    expect(data.map(({ id }: { id: string }) => names.get(id))).toEqual(['main'])
  })
})

describe('what a search looks up in the index', () => {
  /** What is compared with the column itself; expressions of it are not in the index. */
  const indexed = (search: string) => {
    const { sql: text, parameters } = hasWords(search, sql.ref('words'), sql.ref('body')).compile(app.system.db)
    return [...text.matchAll(/(?<=\("|AND "|^")words" (?:LIKE|~) \$(\d+)/g)].map(([, number]) => parameters[Number(number) - 1])
  }

  it('is the number of an address and its plain words, not their other spellings', () => {
    expect(indexed('7507 walnut st')).toEqual(['%7507%', '%walnut%'])
    expect(indexed('123 walnut st')).toEqual(['% 123%', '%walnut%'])
  })

  it('is every word of a search without a number', () => {
    expect(indexed('walnut st')).toEqual(['%walnut%', expect.stringContaining('street')])
    expect(indexed('12 walnut st')).toHaveLength(3)
  })
})

describe('a search for a name', () => {
  it('ignores accents, case and punctuation', async () => {
    for (const search of ['angstrom', 'ÅNGSTRÖM', 'cafes', 'café’s', 'angstrom & søn', 'søn cafe'])
      expect(await found('accounts', search), search).toMatchObject([{ id: account.id }])
  })

  it('finds words in any order and inside others', async () => {
    expect(await found('accounts', 'cafe ngst')).toMatchObject([{ id: account.id }])
  })

  it('lists the best match first', async () => {
    for (const name of ['Unharbored', 'Big Harbors', 'Old Harbor Group', 'Harbor Freight', 'Harbor'])
      await makeAccount(app.system, { companyId: tenant.company.id, name })
    for (const name of ['Harbor', 'Unharbored']) await makeAccount(app.system, { companyId: tenant.company.id, name: `${name} ` })
    const ranked = (await found('accounts', 'harbor')).map(({ name }) => name.trim())
    expect(ranked).toEqual(['Harbor', 'Harbor', 'Harbor Freight', 'Old Harbor Group', 'Big Harbors', 'Unharbored', 'Unharbored'])
  })

  it('finds punctuation as it is, and reads patterns as text', async () => {
    for (const search of ['%', '_', '.*', '(', '\\', '"']) expect(await found('accounts', search), search).toEqual([])
    expect(await found('accounts', '&')).toMatchObject([{ id: account.id }])
    expect(await found('accounts', 'angstrom (')).toHaveLength(1)
  })

  it('ignores words after the first sixteen', async () => {
    expect(await found('accounts', 'angstrom nowhere')).toEqual([])
    expect(await found('accounts', `${'angstrom '.repeat(16)}nowhere`)).toHaveLength(1)
  })
})

describe('the words of a text', () => {
  it.each([
    '',
    ' ',
    'Plain text',
    'École  N° 5 — «Été»',
    "L'Hôtel d’Or",
    'ÅØÆß Łódź',
    'Москва Ёлка',
    '東京都 港区',
    'a\tb\nc',
    'x.y,z;(1/2)',
    'ﬁne İstanbul',
  ])('are the same in the database and in the product: %j', async (text) => {
    const { rows } = await sql<{ words: string }>`SELECT search_words(${text}) AS words`.execute(app.system.db)
    expect(rows[0]?.words.trim()).toBe(searchWords(text))
  })
})
