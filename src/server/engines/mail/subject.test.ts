import { describe, expect, it } from 'vitest'
import { subjectLine } from './subject.ts'

describe('the subject of a mail', () => {
  it('is one line', () => {
    expect(subjectLine(' Ada has\r\ninvited  you\tto Harbor ')).toBe('Ada has invited you to Harbor')
  })

  it('of 120 characters is complete', () => {
    const subject = `Report ${'x'.repeat(113)}`
    expect(subjectLine(subject)).toBe(subject)
  })

  it('that is longer ends after a word, without the comma before the ellipsis', () => {
    expect(subjectLine(`${'Harbor Stores, '.repeat(7)}Foundry, and ${'Warehouses '.repeat(9)}`)).toBe(
      `${'Harbor Stores, '.repeat(7)}Foundry, and…`,
    )
  })

  it('with one very long word is cut within it, and never within a character', () => {
    expect(subjectLine(`Report of ${'x'.repeat(200)}`)).toBe(`Report of ${'x'.repeat(110)}…`)
    expect(subjectLine(`Report of ${'x'.repeat(109)}\u{1F3E2}${'x'.repeat(20)}`).isWellFormed()).toBe(true)
  })
})
