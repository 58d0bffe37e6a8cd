import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LOGO_TYPE_ERROR } from '#contract/companies.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { routes } from '#server/features/index.ts'
import { fieldErrors } from './errors.ts'
import { issueText } from './issue-text.ts'

/** The texts of zod itself, such as "Invalid input: expected string, received undefined". */
const RAW = /^Invalid |\bexpected\b|\breceived\b|^Too (big|small)|^Unrecognized/

const WRONG = [
  undefined,
  null,
  '',
  'x',
  'x'.repeat(70_000),
  7,
  -1,
  1.5,
  1e300,
  true,
  [],
  [null],
  [7],
  ['x'],
  {},
  { a: 1 },
  [{}],
  { nested: [{}] },
]

const texts = (schema: z.ZodType, value: unknown): string[] => {
  const parsed = schema.safeParse(value, { error: issueText })
  return parsed.success ? [] : Object.values(fieldErrors(parsed.error)).flat()
}

/** Wrong values for the whole and for each of its fields, two levels deep. */
function textsOfWrongValues(schema: z.ZodType, depth = 0): string[] {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : schema
  const fields = inner instanceof z.ZodObject && depth < 2 ? Object.entries(inner.shape) : []
  const own = WRONG.flatMap((value) => texts(schema, value))
  return [...own, ...fields.flatMap(([, field]) => textsOfWrongValues(field as z.ZodType, depth + 1))] // the values of a shape are schemas
}

describe('the errors of a request', () => {
  test('are written for people in every call, for every kind of wrong value', () => {
    const raw = routes.flatMap(({ name, call }) =>
      [call.query, call.body].flatMap((schema) =>
        schema === undefined
          ? []
          : [...new Set(textsOfWrongValues(schema).filter((text) => RAW.test(text) && text !== LOGO_TYPE_ERROR))].map(
              (text) => `${name}: ${text}`,
            ),
      ),
    )
    expect(raw).toEqual([])
  })

  test('say what is expected', () => {
    const of = (schema: z.ZodType, value?: unknown) => texts(schema, value)[0]
    expect(of(z.string())).toBe('This field is required.')
    expect(of(z.number(), 'x')).toBe('Please enter a number.')
    expect(of(z.int().min(1), 0)).toBe('Please enter 1 or more.')
    expect(of(z.string().max(1_000), 'x'.repeat(1_001))).toBe('Please use at most 1,000 characters.')
    expect(of(z.enum(['asc', 'desc']), 'up')).toBe('Please choose one of asc, desc.')
    expect(of(z.union([z.null(), z.iso.date('Please enter the date as YYYY-MM-DD.')]), 'x')).toBe('Please enter the date as YYYY-MM-DD.')
    expect(of(propertyCalls.update.body, { address: 'x' })).toBe('Please send the version of the property that you changed.')
  })
})
