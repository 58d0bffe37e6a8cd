import { expect, test } from 'vitest'
import { z } from 'zod'
import { FilePatch, fileCalls } from './account-files.ts'
import { DivestInput, propertyFieldSchema } from './account-properties.ts'
import { AccountInput } from './accounts.ts'
import { CompanyInput } from './companies.ts'
import { Decision } from './discrepancies.ts'
import { propertyField } from './property-fields.ts'
import { RoleInput } from './roles.ts'
import { call, json, Nothing, orNull, text, textOrNull } from './route.ts'
import { SubscriptionInput } from './subscriptions.ts'
import { UserInput } from './users.ts'

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

test('a text has no invisible characters and none that change the reading direction', () => {
  const marks = [...'\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2061\u2062\u2063\u2064']
  for (const mark of [...marks, ...'\u2066\u2067\u2068\u2069\uFEFF\u061C']) {
    const name = mark.codePointAt(0)?.toString(16)
    expect(text(20).parse(`${mark}Acme${mark} ${mark} Re${mark}`), name).toBe('Acme  Re')
    expect(text(4).parse(`Ac${mark}me`), name).toBe('Acme')
    expect([text(20).min(1).safeParse(mark).success, textOrNull(20).parse(` ${mark} `)], name).toEqual([false, null])
  }
})

const NAMES: [string, z.ZodType][] = [
  ['companies', CompanyInput.shape.name],
  ['accounts', AccountInput.shape.name],
  ['brokers', AccountInput.shape.broker_name],
  ['first', UserInput.shape.first_name],
  ['last', UserInput.shape.last_name],
  ['roles', RoleInput.shape.label],
  ['subscriptions', SubscriptionInput.shape.name],
  ['documents', FilePatch.shape.vanity_name],
  ['properties', propertyFieldSchema(propertyField('property_name'))],
  ['downloads', fileCalls.show.query.shape.file_name],
  ['streets', propertyFieldSchema(propertyField('address'))],
]

test.each(NAMES)('names of %s have no invisible characters', (_what, schema) =>
  expect(schema.parse('\u202EHar\u200Bbor\u2060 View\uFEFF')).toBe('Harbor View'),
)

const LINES = 'Line1\nLine2\r\nLine3\tTab\u2028X\u2029Y\u0085Z'

test.each(NAMES)('names of %s are one line', (_what, schema) => expect(schema.parse(LINES)).toBe('Line1 Line2 Line3 Tab X Y Z'))

test('the description of a property and notes retain their lines', () => {
  const described = propertyFieldSchema(propertyField('description'), 'description')
  for (const schema of [described, DivestInput.shape.divested_note, Decision.shape.note])
    expect(schema.parse('One\r\ntwo\u2028three')).toBe('One\ntwo\nthree')
})

test('a text has no soft hyphens, unused control characters and code points that are not characters', () =>
  expect(text(20).parse('Ac\u00ADme\u0092\uFFFE \uFFFFRe\uFDD0\uFFF9')).toBe('Acme Re'))

test('a text has joiners only inside words of scripts that need them', () => {
  const [persian, hindi] = ['\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645', '\u0915\u094D\u200D\u0937']
  for (const word of [persian, hindi]) expect(text(20).parse(`\u200C${word}\u200D ${word}\u200C!`)).toBe(`${word} ${word}!`)
  expect(text(20).parse(`\u0645\u200C\u200D\u062E`)).toBe('\u0645\u062E')
  expect(text(20).parse('\u0410\u200D\u0411 A\u200CB')).toBe('\u0410\u0411 AB')
})

const INVISIBLE = [...'\u3164\u2800\u115F\u1160\u180E\u034F\u17B4\uFE00\uFE0F\uFFA0\u206A\u{E0041}\u{E007F}\u{E0100}\u{1D173}']

test.each(INVISIBLE)('a text of only %j is empty, and a name with it is that without it', (mark) => {
  expect([text(20).min(1).safeParse(mark).success, textOrNull(20).parse(`${mark} ${mark}`)]).toEqual([false, null])
  expect(text(20).parse(`Ac${mark}me${mark}`)).toBe('Acme')
})

test.each([
  ['a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
  ['a heart on fire', '\u2764\uFE0F\u200D\u{1F525}'],
  ['a profession', '\u{1F469}\u{1F3FD}\u200D\u2695\uFE0F'],
  ['a flag with tags', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
  ['a number in a box', '1\uFE0F\u20E3'],
])('a text retains an emoji of %s', (_what, emoji) =>
  expect(text(50).parse(`Tower ${emoji}${emoji} West`)).toBe(`Tower ${emoji}${emoji} West`),
)

test('a text has no joiner between an emoji and a letter', () =>
  expect(text(20).parse('\u{1F468}\u200DAcme\u200D\u{1F469}')).toBe('\u{1F468}Acme\u{1F469}'))

test('a text has composed letters', () => {
  expect(text(20).parse('Ma\u0301laga')).toBe('M\u00E1laga')
  expect(text(20).parse('Ma\u200B\u0301laga')).toBe('M\u00E1laga')
})
