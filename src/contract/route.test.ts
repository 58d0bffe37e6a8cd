import { expect, test } from 'vitest'
import { z } from 'zod'
import { call, json, Nothing, orNull, textOrNull } from './route.ts'

const output = json(Nothing)
const id = '019a0000-0000-7000-8000-000000000000'

test('a call without parameters in its path has no schema for them', () =>
  expect('params' in call('GET', '/init', 'signed-in', 'Init', { output })).toBe(false))

test('the parameters of a path are ids, and no others are accepted', () => {
  const { params } = call('GET', '/accounts/:id/files/:file_id', 'signed-in', 'A document', { output })
  expect(params.parse({ id, file_id: id })).toEqual({ id, file_id: id })
  expect(params.safeParse({ id }).success).toBe(false)
  expect(params.safeParse({ id, file_id: 'none' }).success).toBe(false)
  expect(params.safeParse({ id, file_id: id, more: id }).success).toBe(false)
})

test('a schema of a call replaces the ids in its path', () => {
  const params = z.strictObject({ token: z.string() })
  expect(call('GET', '/password/find/:token', 'public', 'Check a link', { params, output }).params).toBe(params)
})

test('an empty text is null where a value is optional', () => {
  expect(['', null, '2026-03-04'].map((value) => orNull(z.iso.date()).parse(value))).toEqual([null, null, '2026-03-04'])
  expect(orNull(z.iso.date()).safeParse('tomorrow').success).toBe(false)
  expect(['', '  ', null, ' a '].map((value) => textOrNull(1).parse(value))).toEqual([null, null, null, 'a'])
  expect(textOrNull(1).safeParse('ab').success).toBe(false)
})
