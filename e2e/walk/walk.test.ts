import { describe, expect, it, test } from 'vitest'
import { filled, Frontier, kindOf, withTabs, type Step } from './addresses.ts'
import { walkers } from './people.ts'
import { findings, table } from './report.ts'
import { textProblems } from './text-checks.ts'
import type { Visit } from './visit.ts'

const A = '01a20aed-a8a9-7a0b-8536-506c1532270c'
const B = '01a20aed-a5b5-7571-a1be-7146466fee9d'

describe('the text of a screen', () => {
  it.each([
    ['Reported by 01a20aed-a5b5-7571-a1be-7146466fee9d', /^id in the text: Reported by/],
    ['Total undefined', /^no value in the text/],
    ['NaN of 12', /^no value in the text/],
    ['[object Object]', /^no value in the text/],
    ['Assigned to null', /^no value in the text/],
    ['You need view_account_files.', /^raw key view_account_files in the text/],
    ['Sorted by (building_value)', /^raw key building_value in the text/],
  ])('%j is a problem', (text, problem) => {
    expect(textProblems(`Overview\n${text}\nDocuments`)).toEqual([expect.stringMatching(problem)])
  })

  it.each([
    'roof_survey_2024.pdf, 2 MB',
    'https://example.com/some_page',
    'jo_blake@harbor.example',
    'Nullarbor Plain, undefinedness',
    'The value is not available; nothing is void.',
    '555-01a20aed',
  ])('%j is none', (text) => {
    expect(textProblems(text)).toEqual([])
  })
})

describe('addresses', () => {
  it('are of one kind if they differ in ids and filters only', () => {
    expect(kindOf(`/accounts/${A}?tab=properties&filter__status=active`)).toBe('/accounts/$?tab=properties&filtered')
    expect(kindOf(`/accounts/${B}?sort=name&tab=properties`)).toBe('/accounts/$?tab=properties&filtered')
    expect(kindOf(`/accounts/${A}?tab=properties`)).toBe('/accounts/$?tab=properties')
    expect(kindOf(`/accounts/${A}?tab=files`)).toBe('/accounts/$?tab=files')
    expect(kindOf('/users?filter__role=1')).toBe('/users?filtered')
  })

  it('of panels are of one kind over any list', () => {
    expect(kindOf(`/accounts/${A}/files/${B}?tab=files&filter__sov=0`)).toBe('/accounts/$/files/$')
    expect(kindOf(`/accounts/${A}/import?view=sheet&import=${B}`)).toBe('/accounts/$/import?view=sheet')
  })

  it('name the tabs of an account, because the last one is remembered', () => {
    const tabs = ['overview', 'properties', 'files', 'invites'].map((tab) => `/accounts/${A}?tab=${tab}`)
    expect(withTabs(`/accounts/${A}`)).toEqual(tabs)
    expect(withTabs(`/accounts/${A}?tab=files`)).toEqual([`/accounts/${A}?tab=files`])
    expect(withTabs(`/accounts/${A}/upload`)).toEqual([`/accounts/${A}/upload`])
  })

  it('of routes get their ids from an address that begins like them', () => {
    const known = ['/accounts', `/users/${A}`, `/accounts/${A}/properties/${B}?tab=properties`]
    expect(filled('/accounts/$id/properties/$prop_id/upload', known)).toBe(`/accounts/${A}/properties/${B}/upload`)
    expect(filled('/accounts/$id/export', known)).toBe(`/accounts/${A}/export`)
    expect(filled('/accounts/$id/files/$file_id', known)).toBeUndefined()
    expect(filled('/accounts/$id', ['/accounts/create'])).toBeUndefined()
    expect(filled('/reset-password/{-$token}', [])).toBe('/reset-password/no-such-link')
  })
})

describe('the frontier', () => {
  const all = (frontier: Frontier) => {
    const steps: Step[] = []
    for (let step = frontier.next(); step !== undefined; step = frontier.next()) steps.push(step)
    return steps.map(({ address }) => address)
  }

  it('has each address once and no more than the given number of a kind', () => {
    const frontier = new Frontier(1)
    for (const address of ['/users', '/users', `/users/${A}`, `/users/${B}`]) frontier.add(address, { link: '/' })
    expect(all(frontier)).toEqual(['/users', `/users/${A}`])
  })

  it('adds routes that no page links to, with ids of linked records only', () => {
    const frontier = new Frontier(1)
    frontier.add(`/users/${A}`, 'table')
    frontier.add(`/roles/${B}`, { link: '/roles' })
    frontier.addMissing(['/users/$id/edit', '/roles/$id', '/roles/$id/edit'])
    expect(all(frontier)).toEqual([`/users/${A}`, `/roles/${B}`, `/roles/${B}/edit`])
  })
})

test('WALK_ROLES chooses the roles, and a role that does not exist is named', () => {
  expect(walkers({ WALK_ROLES: 'broker, visitor', WALK_PASSWORD: 'x' })).toEqual([
    { role: 'broker', signIn: { email: 'broker@plumbline.example', password: 'x' } },
    { role: 'visitor', signIn: undefined },
  ])
  expect(walkers({}).map(({ role }) => role)).toHaveLength(7)
  expect(() => walkers({ WALK_ROLES: 'owner' })).toThrow(/WALK_ROLES has owner/)
})

describe('the report', () => {
  const picture = { size: 'desktop', scheme: 'light', path: 'a.png' } as const
  const visits: Visit[] = [
    { role: 'broker', address: '/', leadsTo: undefined, pictures: [picture, picture], problems: ['rare', 'common'] },
    { role: 'client', address: '/', leadsTo: undefined, pictures: [picture], problems: ['common'] },
  ]

  it('lists a problem once with all its places, the most frequent first', () => {
    expect(findings(visits)).toEqual([
      { problem: 'common', places: ['broker /', 'client /'] },
      { problem: 'rare', places: ['broker /'] },
    ])
  })

  it('counts addresses, visits and problems of each role', () => {
    expect(
      table(visits)
        .split('\n')
        .map((line) => line.split(/\s+/).filter(Boolean)),
    ).toEqual([
      ['role', 'addresses', 'visits', 'problems'],
      ['broker', '1', '2', '2'],
      ['client', '1', '1', '1'],
      ['all', '2', '3', '3'],
    ])
  })
})
