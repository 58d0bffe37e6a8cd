import { strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { WORD_TEXT_MAX_BYTES } from '#contract/reading-limits.ts'
import { unpackWord } from './unpack-word.ts'

const TEXT = '<w:document><w:body/></w:document>'
const word = (parts: Record<string, Uint8Array> = {}) => zipSync({ 'word/document.xml': strToU8(TEXT), ...parts })
const unpacked = (bytes: Uint8Array) => {
  const result = unpackWord(bytes)
  return typeof result === 'string' ? result : Object.keys(unzipSync(result))
}

it('keeps text and pictures, and leaves out macros, embedded files and parts outside of the document', () => {
  const part = strToU8('x')
  const bytes = word({
    'word/media/a.png': part,
    'word/vbaProject.bin': part,
    'word/embeddings/a.xlsx': part,
    '../../a.xml': part,
    'word/media/a.svg': part,
  })
  expect(unpacked(bytes)).toEqual(['word/document.xml', 'word/media/a.png'])
})

it('does not unpack a document that becomes larger than it can show', () => {
  expect(unpacked(word({ 'word/styles.xml': new Uint8Array(WORD_TEXT_MAX_BYTES + 1) }))).toBe('large')
})

it('a part that lies about its size does not become larger than it says', () => {
  const bytes = word({ 'word/styles.xml': new Uint8Array(1_000_000) })
  const view = new DataView(bytes.buffer)
  const directory = bytes.findLastIndex((_, at) => at + 4 <= bytes.length && view.getUint32(at, true) === 0x02014b50)
  view.setUint32(directory + 24, 10, true)
  const result = unpackWord(bytes)
  expect(typeof result === 'string' || result.length < 2_000).toBe(true)
})

it.each([
  ['a file that is no archive', strToU8('not a document')],
  ['an archive that is cut off', word().slice(0, 60)],
  ['an archive without a document', zipSync({ 'xl/workbook.xml': strToU8('x') })],
  ['a document with entities', word({ 'word/styles.xml': strToU8('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>') })],
])('reports %s as damaged', (_name, bytes) => {
  expect(unpacked(bytes)).toBe('damaged')
})

it('distinguishes a protected document from one in the old format', () => {
  const ole = (name: string) => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, ...strToU8([...name].join('\0'))])
  expect([unpacked(ole('EncryptedPackage')), unpacked(ole('WordDocument'))]).toEqual(['encrypted', 'old'])
})
