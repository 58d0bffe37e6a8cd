import { screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { FormField } from '#contract/form.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Field } from './field.tsx'

afterEach(resetPage)

/** Types the amount into a field, leaves it, and returns what it shows and holds. */
async function enter(amount: string, more: Partial<FormField>) {
  const field: FormField = { name: 'amount', label: 'Amount', type: 'money', value: '', required: false, ...more }
  const changes: unknown[] = []
  function Form() {
    const [value, setValue] = useState<unknown>('')
    const change = (next: unknown) => {
      changes.push(next)
      setValue(next)
    }
    return <Field field={field} value={value} error={null} onChange={change} />
  }
  const { user } = renderWithSession(<Form />, { session: sessionWith([]) })
  const input = await screen.findByLabelText<HTMLInputElement>('Amount')
  await user.type(input, amount)
  const typed = input.value
  await user.tab()
  return { typed, shown: input.value, held: changes.at(-1) }
}

describe('an amount of money', () => {
  it('with cents is rounded to whole units when the field is left', async () => {
    expect(await enter('1500.75', {})).toEqual({ typed: '$1,500.75', shown: '$1,501', held: 1501 })
  })

  it('with cents is not changed in a field for prices', async () => {
    expect(await enter('1500.75', { cents: true })).toEqual({ typed: '$1,500.75', shown: '$1,500.75', held: 1500.75 })
  })

  it('without cents is shown as it is typed', async () => {
    expect(await enter('1500', {})).toEqual({ typed: '$1,500', shown: '$1,500', held: 1500 })
  })
})

it('a year typed with other characters is its digits', async () => {
  expect(await enter('c. 1992', { type: 'number', whole: true })).toMatchObject({ typed: '1992', held: 1992 })
})
