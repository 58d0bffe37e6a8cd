import type { z } from 'zod'
import { formatNumber } from '#contract/format.ts'

const OFFERED_MAX = 8

const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['string', 'Please enter a text.'],
  ['number', 'Please enter a number.'],
  ['nan', 'Please enter a number.'],
  ['int', 'Please enter a whole number.'],
  ['boolean', 'Please choose yes or no.'],
  ['date', 'Please enter a date.'],
  ['array', 'Please send a list.'],
  ['object', 'Please send an object.'],
  ['record', 'Please send an object.'],
])

const BY_FORMAT: ReadonlyMap<string, string> = new Map([
  ['email', 'Please enter a valid email address.'],
  ['uuid', 'This is not a valid id.'],
  ['guid', 'This is not a valid id.'],
  ['url', 'Please enter a web address.'],
  ['date', 'Please enter a date as YYYY-MM-DD.'],
  ['datetime', 'Please enter a date and time as in 2026-11-22T09:30:00Z.'],
])

const REQUIRED = 'This field is required.'

/** The texts of problems whose schema has none of its own, because zod's are written for programmers. For the option `error` of `parse`. */
export function issueText(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined || (issue.input === null && issue.code !== 'invalid_union')) return REQUIRED
  switch (issue.code) {
    case 'invalid_type':
      return BY_TYPE.get(issue.expected) ?? 'This value is of the wrong kind.'
    case 'invalid_format':
      return BY_FORMAT.get(issue.format) ?? 'This value does not have the expected format.'
    case 'invalid_value':
      return offered(issue.values)
    case 'not_multiple_of':
      return issue.divisor === 1 ? 'Please enter a whole number.' : `Please enter a multiple of ${issue.divisor}.`
    case 'too_small':
      return sized(issue.origin, Number(issue.minimum), 'least', issue.inclusive !== false)
    case 'too_big':
      return sized(issue.origin, Number(issue.maximum), 'most', issue.inclusive !== false)
    case 'unrecognized_keys':
      return 'Unknown field.'
    default:
      return 'This value cannot be used here.'
  }
}

function offered(values: readonly unknown[]): string {
  if (values.length > OFFERED_MAX) return 'Please choose one of the offered values.'
  return values.length === 1 ? `Only ${String(values[0])} is possible here.` : `Please choose one of ${values.map(String).join(', ')}.`
}

function sized(origin: string, limit: number, end: 'least' | 'most', inclusive: boolean): string {
  const number = formatNumber(limit)
  if (origin === 'string') return end === 'least' && limit <= 1 ? REQUIRED : `Please use at ${end} ${number} characters.`
  if (origin === 'array' || origin === 'set') return `Please choose at ${end} ${number}.`
  if (inclusive) return end === 'least' ? `Please enter ${number} or more.` : `Please enter ${number} or less.`
  return end === 'least' ? `Please enter more than ${number}.` : `Please enter less than ${number}.`
}

/** The message of the option that comes closest: one whose kind of value is right, otherwise the last one. */
export function unionText(issue: z.core.$ZodIssueInvalidUnion): string {
  const firsts = issue.errors.flatMap((option) => option.slice(0, 1))
  const closest = firsts.findLast(({ code, path }) => path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value'))
  const best = closest ?? firsts.at(-1)
  if (best === undefined) return issue.message
  return best.code === 'invalid_union' ? unionText(best) : best.message
}
