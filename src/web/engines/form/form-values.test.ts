import { describe, expect, it, test } from 'vitest'
import type { Form, FormField } from '#contract/form.ts'
import { bodyOf, changedNames, initialValues, mergeForms, placeErrors, valueText } from './form-values.ts'

const field = (name: string, type: FormField['type'], value: unknown, more: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  type,
  value,
  required: false,
  ...more,
})
const form = (fields: FormField[], id: string | null = 'r1', version: number | null = 4): Form => ({
  model: 'accounts',
  id,
  title: 'Account',
  version,
  sections: [{ title: 'Account', fields }],
})

const name = field('name', 'text', 'Oak')
const website = field('website', 'text', null)
const meta = field('meta', 'pairs', [])
const notify = field('notify', 'checkbox', false)

describe('the body of a save', () => {
  it('of a new record has what is filled in, its presets and every checkbox', () => {
    const blank = form([name, website, meta, notify], null, null)
    expect(bodyOf(blank, initialValues(blank), initialValues(blank), { type: 'managed' })).toEqual({
      type: 'managed',
      name: 'Oak',
      notify: false,
    })
  })

  it('of a new record has a preset also where the form has a required field of that name', () => {
    const blank = form([field('property_id', 'search', '', { required: true }), name], null, null)
    expect(bodyOf(blank, initialValues(blank), initialValues(blank), { property_id: 'p1' })).toEqual({ property_id: 'p1', name: 'Oak' })
  })

  it('of an existing record has only what changed and the version it was read with', () => {
    const stored = form([name, website, notify])
    const values = { ...initialValues(stored), name: '', notify: true }
    expect(bodyOf(stored, initialValues(stored), values, {})).toEqual({ name: null, notify: true, version: 4 })
  })

  it('of an existing record sends an emptied list as a list', () => {
    const stored = form([field('tags', 'multiselect', ['a'])])
    expect(bodyOf(stored, initialValues(stored), { tags: [] }, {})).toEqual({ tags: [], version: 4 })
  })

  it('has a required field that is empty, so that its own message says what is missing', () => {
    const required = field('name', 'text', null, { required: true })
    const blank = form([required, website], null, null)
    expect(bodyOf(blank, initialValues(blank), initialValues(blank), {})).toEqual({ name: '' })
    const stored = form([{ ...required, value: 'Oak' }])
    expect(bodyOf(stored, initialValues(stored), { name: '' }, {})).toEqual({ name: '', version: 4 })
  })

  it('never has a disabled field', () => {
    const stored = form([field('name', 'text', 'Oak', { disabled: true })])
    expect(bodyOf(stored, initialValues(stored), { name: 'Elm' }, {})).toEqual({ version: 4 })
  })
})

test('errors of the server are placed under their field, also those about a part of it', () => {
  const { fields, rest } = placeErrors(form([name, meta]), {
    name: 'Please enter a name.',
    'meta.2.label': 'Please name this item.',
    owner: 'Unknown owner.',
  })
  expect(fields).toEqual({ name: 'Please enter a name.', meta: 'Please name this item.' })
  expect(rest).toEqual(['Unknown owner.'])
})

describe('changed fields', () => {
  test.each([
    ['a text', 'Oak', 'Elm', true],
    ['the same text', 'Oak', 'Oak', false],
    ['an emptied text', 'Oak', '', true],
    ['null and an empty text', null, '', false],
    ['zero and an empty text', '', 0, true],
    ['an unchecked box and an empty text', '', false, true],
    ['a longer list', ['a'], ['a', 'b'], true],
    ['a list in another order', ['a', 'b'], ['b', 'a'], true],
    ['an equal list', ['a', 'b'], ['a', 'b'], false],
    ['a pair with another value', [{ label: 'Dock', value: '1' }], [{ label: 'Dock', value: '2' }], true],
    ['equal pairs', [{ label: 'Dock', value: '1' }], [{ label: 'Dock', value: '1' }], false],
  ])('%s', (_case, before, after, changed) => {
    expect(changedNames({ x: before, same: 1 }, { x: after, same: 1 })).toEqual(changed ? ['x'] : [])
  })
})

describe('the merge with what another user saved', () => {
  const ONE = [{ label: 'Dock', value: '1' }]
  const TWO = [{ label: 'Dock', value: '2' }]
  test.each([
    // case, initial, mine, saved, merged, disputed
    ['has my value where only I changed it', 'Oak', 'Elm', 'Oak', 'Elm', false],
    ['has their value where only they changed it', 'Oak', 'Oak', 'Ash', 'Ash', false],
    ['disputes nothing where both entered the same', 'Oak', 'Elm', 'Elm', 'Elm', false],
    ['disputes different values and leaves mine in the form', 'Oak', 'Elm', 'Ash', 'Elm', true],
    ['disputes my value where they emptied the field', 'Oak', 'Elm', '', 'Elm', true],
    ['disputes their value where I emptied the field', 'Oak', '', 'Ash', '', true],
    ['disputes nothing where both emptied the field, one as null', 'Oak', '', null, '', false],
    ['does not take null for a change of an empty field', '', 'Elm', null, 'Elm', false],
    ['has my list where only I changed it', ['a'], ['a', 'b'], ['a'], ['a', 'b'], false],
    ['has their list where only they changed it', ['a'], ['a'], ['b'], ['b'], false],
    ['disputes nothing where both chose the same list', ['a'], ['a', 'b'], ['a', 'b'], ['a', 'b'], false],
    ['disputes different lists', ['a'], ['a', 'b'], ['a', 'c'], ['a', 'b'], true],
    ['has their pairs where only they changed them', ONE, ONE, TWO, TWO, false],
    ['disputes nothing where both entered the same pairs', [], ONE, ONE, ONE, false],
    ['disputes different pairs', [], ONE, TWO, ONE, true],
    ['disputes a checkbox never, since it has two values', false, true, true, true, false],
  ])('%s', (_case, initial, mine, saved, merged, disputed) => {
    expect(mergeForms({ x: initial }, { x: mine }, { x: saved })).toEqual({ values: { x: merged }, disputed: disputed ? { x: saved } : {} })
  })

  it('decides field by field', () => {
    const initial = { name: 'Oak', website: '', phone: '1', city: 'Reno' }
    const mine = { ...initial, name: 'Elm', website: 'https://mine.example' }
    const saved = { ...initial, name: 'Ash', phone: '2' }
    expect(mergeForms(initial, mine, saved)).toEqual({
      values: { name: 'Elm', website: 'https://mine.example', phone: '2', city: 'Reno' },
      disputed: { name: 'Ash' },
    })
  })

  it('has a field that the saved form added', () => {
    expect(mergeForms({ name: 'Oak' }, { name: 'Oak' }, { name: 'Oak', website: 'https://a.example' }).values).toEqual({
      name: 'Oak',
      website: 'https://a.example',
    })
  })
})

test('a value is shown as its label, as an amount or as empty', () => {
  expect(valueText(field('type', 'select', 'a', { options: [{ value: 'a', label: 'Alpha' }] }), 'a')).toBe('Alpha')
  const options = [
    { value: 'update_accounts', label: 'Accounts: update accounts' },
    { value: 'create_roles', label: 'Role: create roles' },
  ]
  expect(valueText(field('permissions', 'multiselect', [], { options }), ['create_roles', 'update_accounts'])).toBe(
    'Role: create roles, Accounts: update accounts',
  )
  expect(valueText(field('value', 'money', 1), 1_500_000)).toBe('$1,500,000')
  expect(valueText(field('value', 'money', 1), 1_500_000, 'CAD')).toBe('CA$1,500,000')
  expect(valueText(field('value', 'money', 1), 1_500_000, 'CA')).toBe('$1,500,000')
  expect(valueText(field('value', 'money', 1), 1_234_567.89, 'CAD')).toBe('CA$1,234,567.89')
  const price = field('price', 'money', 0, { cents: true })
  expect([1500.6, 1500.9, 1500].map((value) => valueText(price, value))).toEqual(['$1,500.60', '$1,500.90', '$1,500'])
  expect(valueText(field('notify', 'checkbox', true), true)).toBe('Yes')
  expect(valueText(meta, [{ label: 'Dock', value: '2' }])).toBe('Dock: 2')
  expect(valueText(name, '')).toBe('empty')
})
