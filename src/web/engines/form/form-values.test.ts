import { describe, expect, it } from 'vitest'
import type { Form, FormField } from '#contract/form.ts'
import { merged, startOf, withMine, withTheirs, withValue } from './form-state.ts'
import { bodyOf, initialValues, placeErrors } from './form-values.ts'
import { valueWords } from './merge-forms.ts'

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
  it('of a new record carries what is filled in, its presets and every checkbox', () => {
    const blank = form([name, website, meta, notify], null, null)
    expect(bodyOf(blank, initialValues(blank), initialValues(blank), { type: 'managed' })).toEqual({
      type: 'managed',
      name: 'Oak',
      notify: false,
    })
  })

  it('of an existing record carries only what changed and the version it was read with', () => {
    const stored = form([name, website, notify])
    const values = { ...initialValues(stored), name: '', notify: true }
    expect(bodyOf(stored, initialValues(stored), values, {})).toEqual({ name: null, notify: true, version: 4 })
  })

  it('carries a required field that is empty, so that its own sentence says what is missing', () => {
    const required = field('name', 'text', null, { required: true })
    const blank = form([required, website], null, null)
    expect(bodyOf(blank, initialValues(blank), initialValues(blank), {})).toEqual({ name: '' })
    const stored = form([{ ...required, value: 'Oak' }])
    expect(bodyOf(stored, initialValues(stored), { name: '' }, {})).toEqual({ name: '', version: 4 })
  })

  it('never carries a field that may not be changed', () => {
    const stored = form([field('name', 'text', 'Oak', { disabled: true })])
    expect(bodyOf(stored, initialValues(stored), { name: 'Elm' }, {})).toEqual({ version: 4 })
  })
})

describe('messages of the server', () => {
  it('stand under their field, also those about a part of it', () => {
    const { fields, rest } = placeErrors(form([name, meta]), {
      name: 'Please enter a name.',
      'meta.2.label': 'Please name this item.',
      owner: 'Unknown owner.',
    })
    expect(fields).toEqual({ name: 'Please enter a name.', meta: 'Please name this item.' })
    expect(rest).toEqual(['Unknown owner.'])
  })

  it('go when the field is edited', () => {
    const state = { ...startOf(form([name])), errors: { name: 'Please enter a name.' } }
    expect(withValue(state, 'name', 'Elm').errors).toEqual({})
  })
})

describe('a stale save', () => {
  const before = withValue(startOf(form([name, website])), 'name', 'Elm')

  it('shows what somebody else saved in the same field and keeps what was entered', () => {
    const state = merged(before, form([field('name', 'text', 'Ash'), field('website', 'text', 'https://a.example')], 'r1', 5), 'Changed.')
    expect(state.theirs).toEqual({ name: 'Ash' })
    expect(state.values).toEqual({ name: 'Elm', website: 'https://a.example' })
    expect(state.notice).toBe('Changed.')
    expect(bodyOf(state.form, state.initial, withMine(state, 'name').values, {})).toEqual({ name: 'Elm', version: 5 })
    expect(bodyOf(state.form, state.initial, withTheirs(state, 'name').values, {})).toEqual({ version: 5 })
  })

  it('asks nothing when the other one changed other fields', () => {
    const state = merged(before, form([name, field('website', 'text', 'https://a.example')], 'r1', 5), 'Changed.')
    expect(state.theirs).toEqual({})
    expect(bodyOf(state.form, state.initial, state.values, {})).toEqual({ name: 'Elm', version: 5 })
  })

  it('says both values in words', () => {
    expect(valueWords(field('type', 'select', 'a', { options: [{ value: 'a', label: 'Alpha' }] }), 'a')).toBe('Alpha')
    expect(valueWords(field('value', 'money', 1), 1_500_000)).toBe('$1,500,000')
    expect(valueWords(name, '')).toBe('empty')
  })
})
