import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'
import { adjacentQuery, searchedPhrases, textWords, tsQuery } from './text-query.ts'

const excerpt = (body: string, search: string) =>
  excerptOf(body, searchedPhrases(search))
    .map(({ text, is_match }) => (is_match ? `[${text}]` : text))
    .join('')

describe('an excerpt', () => {
  it('is the sentence with the most of the words', () => {
    expect(excerpt('Fire one. A pump two. The fire pump three. Another.', 'fire pump three')).toBe('The [fire] [pump] [three].')
  })

  it('begins and ends in a long sentence at words, which it says', () => {
    const text = excerpt(`${'before '.repeat(60)}roof ${'after '.repeat(60)}`, 'roof')
    expect(text).toMatch(/^… (before )+\[roof\] (after )+…$/)
    expect(text.length).toBeLessThan(280)
  })

  it('does not end at an abbreviation', () => {
    expect(excerpt('At 12 N. Main St. in Austin, a roof leaks. Next.', 'main')).toBe('At 12 N. [Main] St. in Austin, a roof leaks.')
  })

  it('continues over wrapped lines and short lines', () => {
    expect(excerpt('Some text.\nThe sprinkler system of the\nbuilding was tested. Next.', 'system')).toBe(
      'The sprinkler [system] of the building was tested.',
    )
    expect(
      excerpt(
        'Sprinkler inspection\nDate: 2026-10-23\nWet pipe system inspected and tested in accordance with NFPA 25.\nOther',
        'sprinkler',
      ),
    ).toBe('[Sprinkler] inspection Date: 2026-10-23 Wet pipe system inspected and tested in accordance with NFPA 25.')
  })

  it('marks words with accents, apostrophes, other spellings and separators of thousands', () => {
    expect(excerpt('The Café’s value: 1,250,000', 'cafes 1250000')).toBe('The [Café’s] value: [1,250,000]')
    expect(excerpt('350 Fifth Ave', '5th avenue')).toBe('350 [Fifth] [Ave]')
  })

  it('marks beginnings only of the last word, and phrases only as a whole', () => {
    expect(excerpt('roofs and roofing', 'roof')).toBe('[roofs] and [roofing]')
    expect(excerpt('roofs and walls', 'roof walls')).toBe('roofs and [walls]')
    expect(excerpt('pump fire, fire pump', '"fire pump"')).toBe('pump fire, [fire pump]')
  })

  it('is the beginning of the text if no word is recognized', () => {
    expect(excerpt('The roof', 'nowhere')).toBe('The roof')
  })
})

describe('the words of a search', () => {
  it('are those of texts', () => {
    expect(textWords('POL-2024/001: $1,250,000.50 — Ångström’s 1,2,3')).toEqual([
      'pol',
      '2024',
      '001',
      '1250000',
      '50',
      'angstroms',
      '1',
      '2',
      '3',
    ])
  })

  it('become conditions that a text cannot break', () => {
    expect(tsQuery(searchedPhrases(`a' | b & c:* "!d <-> e"`))).toMatch(
      /^\([^&]*'a'[^&]*\) & \([^&]*'b'[^&]*\) & \([^&]*'c'[^&]*\) & \('d' <-> 'e'\)$/,
    )
    expect(tsQuery(searchedPhrases('value pol-2024-001'))).toBe(`('value') & ('pol' <-> '2024' <-> '001':*)`)
    expect(adjacentQuery(searchedPhrases('fire pum'))).toBe(`'fire' <-> 'pum':*`)
  })

  it('are at most sixteen', () => {
    expect(searchedPhrases('"a b" '.repeat(40))).toHaveLength(16)
  })
})
