import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Form, FormField } from '#contract/form.ts'
import { riskControlCalls, type RiskControl } from '#contract/risk-control.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { bodyOf, initialValues, mergeForms, placeErrors, valueText } from './form-values.ts'
import { RecordForm } from './record-form.tsx'

const ID = '0198c0de-0000-7000-8000-0000000000c1'
const [A, B] = ['0198c0de-0000-7000-8000-0000000000d1', '0198c0de-0000-7000-8000-0000000000d2']
const inner = (name: string, label: string, type: FormField['type'], more: Partial<FormField> = {}) =>
  ({ name, label, type, value: '', required: false, ...more }) as const
const group = (value: unknown): FormField => ({
  name: 'recommendations',
  label: 'Recommendations',
  type: 'group',
  value,
  required: false,
  fields: [
    inner('title', 'Title', 'text', { required: true }),
    inner('responsible', 'Responsible', 'text'),
    inner('cost_estimate', 'Cost estimate', 'money'),
    inner('priority', 'Priority', 'select', { value: 'important', options: [{ value: 'important', label: 'Important' }] }),
  ],
  item: { one: 'recommendation', heading: ['number', 'title'] },
})
const form = (value: unknown, version = 4): Form => ({
  model: 'risk_control',
  id: ID,
  title: 'Edit risk control report',
  version,
  sections: [{ title: 'Recommendations', fields: [group(value)] }],
})
const item = (id: string, number: string, title: string, more: object = {}) => ({
  id,
  number,
  title,
  responsible: null,
  cost_estimate: null,
  priority: 'important',
  ...more,
})
const STORED = [item(A, '26-03-01', 'Hydrants'), item(B, '26-03-02', 'Wiring', { cost_estimate: 900 })]
const valuesOf = (items: unknown) => initialValues(form(items))

describe('a group in a form', () => {
  it('is sent as a whole, with null for emptied values and with the ids of its items', () => {
    const stored = form(STORED)
    const items = [{ ...item(B, '26-03-02', 'Wiring'), responsible: '', cost_estimate: '' }]
    expect(bodyOf(stored, initialValues(stored), { recommendations: items }, {})).toEqual({
      version: 4,
      recommendations: [item(B, '26-03-02', 'Wiring')],
    })
  })

  it('has not changed while every item has its stored values', () => {
    const stored = form(STORED)
    expect(bodyOf(stored, initialValues(stored), valuesOf(STORED), {})).toEqual({ version: 4 })
  })

  it('has its errors at the values of the items, and others under the field', () => {
    const errors = { 'recommendations.1.title': 'Enter a title.', 'recommendations.0.id': 'Wrong.', recommendations: 'Too many.' }
    expect(placeErrors(form(STORED), errors).fields).toEqual({ 'recommendations.1.title': 'Enter a title.', recommendations: 'Wrong.' })
  })

  it('is shown by the headings of its items', () => {
    expect(valueText(group(STORED), STORED)).toBe('26-03-01 Hydrants, 26-03-02 Wiring')
  })
})

describe('merging a group after another user saved it', () => {
  const merge = (mine: unknown, saved: unknown) => mergeForms(valuesOf(STORED), valuesOf(mine), valuesOf(saved), ['recommendations'])
  const [first, second] = STORED

  it('joins changes of different values, new items and removals of both users', () => {
    const mine = [{ ...first, responsible: 'Ann' }, { ...second }, { ...item('', '', 'Mine'), id: null, number: null }]
    const saved = [{ ...first, title: 'All hydrants' }, item('0198c0de-0000-7000-8000-0000000000d3', '26-03-03', 'Theirs')]
    const { values, disputed } = merge(mine, saved)
    expect(disputed).toEqual({})
    expect(values['recommendations']).toMatchObject([
      { id: A, title: 'All hydrants', responsible: 'Ann' },
      { number: '26-03-03', title: 'Theirs' },
      { id: null, title: 'Mine' },
    ])
  })

  it('asks the user when both changed the same value, or one changed what the other removed', () => {
    const theirs = [{ ...first, title: 'Their title' }, second]
    expect(Object.keys(merge([{ ...first, title: 'My title' }, second], theirs).disputed)).toEqual(['recommendations'])
    expect(Object.keys(merge([second], theirs).disputed)).toEqual(['recommendations'])
    expect(Object.keys(merge([{ ...first, title: 'My title' }, second], [second]).disputed)).toEqual(['recommendations'])
  })
})

describe('the items of a group', () => {
  let server: FakeServer
  beforeEach(() => {
    server = fakeServer()
      .on(riskControlCalls.editForm, () => ({ data: form(STORED) }))
      .on(riskControlCalls.update, () => ({ data: { id: ID } as RiskControl })) // the form reads the id only
  })
  afterEach(resetPage)
  const open = () =>
    renderWithSession(<RecordForm model="risk_control" id={ID} saveLabel="Save" onSaved={() => undefined} />, { session: sessionWith([]) })
  const itemNamed = (name: string) => screen.findByRole('group', { name })

  it('are folded, open on demand, and are added and removed', async () => {
    const { user } = open()
    const hydrants = await itemNamed('Recommendation: 26-03-01 Hydrants')
    expect(within(hydrants).queryByRole('textbox', { name: 'Title' })).toBeNull()
    await user.click(within(hydrants).getByRole('button', { name: '26-03-01 Hydrants' }))
    await user.type(within(hydrants).getByRole('textbox', { name: 'Responsible' }), 'Ann')
    await user.click(screen.getByRole('button', { name: 'Remove recommendation: 26-03-02 Wiring' }))
    await user.click(screen.getByRole('button', { name: 'Add recommendation' }))
    const added = await itemNamed('Recommendation: New recommendation')
    await user.type(within(added).getByRole('textbox', { name: 'Title' }), 'Permits')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const { id: _id, number: _number, ...blank } = item('', '', 'Permits')
    expect(server.bodies(riskControlCalls.update)).toEqual([
      { version: 4, recommendations: [item(A, '26-03-01', 'Hydrants', { responsible: 'Ann' }), blank] },
    ])
  })

  it('that are new stay the same while one before them is removed', async () => {
    const { user } = open()
    await itemNamed('Recommendation: 26-03-01 Hydrants')
    const add = screen.getByRole('button', { name: 'Add recommendation' })
    for (const title of ['First', 'Second']) {
      await user.click(add)
      const added = await itemNamed('Recommendation: New recommendation')
      await user.type(within(added).getByRole('textbox', { name: 'Title' }), title)
    }
    const second = await itemNamed('Recommendation: Second')
    // The first is folded, the second is not.
    await user.click(screen.getByRole('button', { name: 'First' }))
    await user.click(screen.getByRole('button', { name: 'Remove recommendation: First' }))
    expect(await itemNamed('Recommendation: Second')).toBe(second)
    expect(within(second).getByRole('textbox', { name: 'Title' })).toBeTruthy()
  })

  it('open with their errors, which go away when the value changes', async () => {
    server.on(riskControlCalls.update, () => errorAnswer('invalid', '', { 'recommendations.1.responsible': ['Enter a person.'] }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Remove recommendation: 26-03-02 Wiring' }))
    await user.click(screen.getByRole('button', { name: 'Add recommendation' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const added = await itemNamed('Recommendation: New recommendation')
    expect(await within(added).findByText('Enter a title.')).toBeTruthy()
    await user.type(within(added).getByRole('textbox', { name: 'Title' }), 'P')
    expect(screen.queryByText('Enter a title.')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter a person.')).toBeTruthy()
  })
})
