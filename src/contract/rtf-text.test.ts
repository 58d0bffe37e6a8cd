import { expect, it } from 'vitest'
import { decompressRtf } from './compressed-rtf.ts'
import { LINEAR_AT_MOST, growth } from './growth.fixture.ts'
import { textOfRtf } from './rtf-text.ts'

/** Of the bytes in these tests. */
const decode = (charset: string, coded: Uint8Array) =>
  Array.from(coded, (byte) => (charset === 'windows-1250' && byte === 0x8a ? 'Š' : String.fromCharCode(byte))).join('')
const bytes = (hex: string) => Uint8Array.from(hex.split(' '), (byte) => Number.parseInt(byte, 16))
// The examples of [MS-OXRTFCP] section 3.
const SIMPLE = bytes(
  '2d 00 00 00 2b 00 00 00 4c 5a 46 75 f1 c5 c7 a7 03 00 0a 00 72 63 70 67 31 32 35 42 32 0a f3 20 68 65 6c 09 00 20 62 77 05 b0 6c 64 7d 0a 80 0f a0',
)
const REPEATED = bytes('1a 00 00 00 1c 00 00 00 4c 5a 46 75 e2 d4 4b 51 41 00 04 20 57 58 59 5a 0d 6e 7d 01 0e b0')

it('decompresses literal bytes and references', () => {
  expect(decompressRtf(SIMPLE)).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n')
  expect(decompressRtf(REPEATED)).toBe('{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}')
})

it('reads RTF that is not compressed', () => {
  const plain = new Uint8Array([
    ...bytes('0c 00 00 00 04 00 00 00 4d 45 4c 41 00 00 00 00'),
    ...Array.from('{\\rtf1 a}', (character) => character.charCodeAt(0)),
  ])
  expect(decompressRtf(plain)).toBe('{\\rtf1 a}')
})

it('ends where compressed RTF is cut off, and rejects other formats', () => {
  for (let length = 16; length < SIMPLE.length; length += 1)
    expect(decompressRtf(SIMPLE.subarray(0, length)).length).toBeLessThanOrEqual(43)
  expect(() => decompressRtf(new Uint8Array(40))).toThrow()
  expect(() => decompressRtf(new Uint8Array(3))).toThrow()
})

it.each([
  ['paragraphs and tabs', '{\\rtf1\\ansi One\\par\\tab two\\line three}', 'One\n\ttwo\nthree'],
  ['characters of the code page', "{\\rtf1\\ansi\\ansicpg1250 \\'8aaf\\'e1r}", 'Šafár'],
  ['Unicode characters without those for old readers', '{\\rtf1\\uc1 \\u8364?5 \\u-10179?\\u-8704?}', '€5 \u{1F600}'],
  [
    'no fonts, colors and other hidden groups',
    '{\\rtf1{\\fonttbl{\\f0 Arial;}}{\\colortbl;\\red0;}{\\*\\generator Riched20;}shown}',
    'shown',
  ],
  ['escaped braces and backslashes', '{\\rtf1 \\{a\\\\b\\}}', '{a\\b}'],
  [
    'the text of HTML within RTF once',
    '{\\rtf1\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 Roof report\\htmlrtf\\par}\\htmlrtf0 {\\*\\htmltag72 </p>}Next}',
    'Roof report\nNext',
  ],
  ['text without a group', 'plain', 'plain'],
])('reads %s', (_what, rtf, text) => {
  expect(textOfRtf(rtf, decode)).toBe(text)
})

it('reads a hostile file in linear time', () => {
  const read = (size: number) => textOfRtf('{'.repeat(size) + '\\u1'.repeat(size) + "\\'".repeat(size), decode)
  expect(growth(read, 20_000)).toBeLessThan(LINEAR_AT_MOST)
})
