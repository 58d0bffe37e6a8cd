import { describe, expect, test } from 'vitest'
import { apiErrorFrom, firstMessages } from './errors.ts'

const fieldsOf = (body: object) => firstMessages(apiErrorFrom(400, { message: 'Please check the marked fields.', ...body }))

describe('the messages of fields', () => {
  test('are the first of each field in the errors', () => {
    expect(fieldsOf({ response: 'validationError', errors: { name: ['Enter a name.', 'Too short.'] } })).toEqual({ name: 'Enter a name.' })
  })

  test('are those of the data of a validation error without errors', () => {
    const data = { name: ['Enter a name.', 'Too short.'], email: 'Enter an email.' }
    expect(fieldsOf({ response: 'validationError', data })).toEqual({ name: 'Enter a name.', email: 'Enter an email.' })
  })

  test('are not looked for in the data of other errors, or in data of another shape', () => {
    expect(fieldsOf({ response: 'error', data: { changed_by: 'Ann' } })).toEqual({})
    expect(fieldsOf({ response: 'validationError', data: { rows: 3 } })).toEqual({})
  })
})
