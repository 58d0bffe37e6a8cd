import { expect, test } from 'vitest'
import { TEXT_FAILURES, TEXT_STATES, type DocumentText } from '#contract/document-texts.ts'
import { describeText } from './describe-text.ts'

const text = (more: Partial<DocumentText>): DocumentText => ({
  state: 'done',
  failure: null,
  pages: 40,
  pages_without_text: 0,
  characters: 34_000,
  is_cut: false,
  unread_attachments: { count: 0, first: [] },
  ...more,
})

test('each state and reason has a text of its own', () => {
  const states = TEXT_STATES.filter((state) => state !== 'failed').map((state) => describeText(text({ state })))
  const failures = TEXT_FAILURES.map((failure) => describeText(text({ state: 'failed', failure })))
  expect(new Set([...states, ...failures]).size).toBe(TEXT_STATES.length - 1 + TEXT_FAILURES.length)
})

test('a text that was read says how much of it can be searched', () => {
  expect(describeText(text({}))).toBe('34,000 characters on 40 pages or sheets.')
  expect(describeText(text({ pages: null, characters: 1 }))).toBe('1 character.')
  expect(describeText(text({ pages_without_text: 3 }))).toBe('34,000 characters on 40 pages or sheets. 3 of them are pictures or empty.')
  expect(describeText(text({ pages_without_text: 1, is_cut: true }))).toBe(
    'Only the beginning was read: 34,000 characters on 40 pages or sheets. 1 of them is a picture or empty.',
  )
})

test('a message names its attachments without text, and counts them', () => {
  const first = [
    { name: 'plan.pdf', reason: 'encrypted' },
    { name: 'scan.pdf', reason: 'no_text' },
  ] as const
  const described = describeText(text({ pages: null, characters: 20, unread_attachments: { count: 3, first: [...first] } }))
  expect(described).toBe(
    '20 characters. 3 attachments cannot be searched: plan.pdf (is protected with a password), scan.pdf (has no text) and 1 more.',
  )
})
