import { describe, expect, test } from 'vitest'
import { layoutZip, type ZipMember } from './zip-layout.ts'

const at = new Date(Date.UTC(2026, 0, 2))
const member = (name: string, changes: Partial<ZipMember> = {}): ZipMember => ({
  name,
  size: 3,
  crc32: 1,
  modifiedAt: at,
  source: { kind: 'object', key: `k/${name.length}` },
  ...changes,
})

test.each([
  ['absolute', '/etc/passwd'],
  ['absolute on Windows', 'C:/x'],
  ['with a parent folder', 'a/../b'],
  ['with a backslash', 'a\\b'],
  ['with an empty segment', 'a//b'],
  ['of a folder', 'a/'],
  ['with a control character', 'a\nb'],
  ['empty', ''],
  ['that is not valid Unicode', 'a\ud800'],
])('rejects a name %s', (_what, name) => {
  expect(() => layoutZip([member(name)])).toThrow('no safe name')
})

test.each([
  ['letter case', 'Report.PDF', 'report.pdf'],
  ['composition', 'Gr\u00f6\u00dfe', 'Gro\u0308\u00dfe'],
])('rejects two names that differ only in %s', (_what, first, second) => {
  expect(() => layoutZip([member(first), member(second)])).toThrow('ignoring case')
})

test('rejects a name that is both a file and a folder', () => {
  expect(() => layoutZip([member('a/b'), member('A')])).toThrow('both a file and a folder')
})

test('rejects bytes of another length than stated', () => {
  expect(() => layoutZip([member('a', { source: { kind: 'bytes', bytes: Buffer.alloc(2) } })])).toThrow('not as long')
})

describe('the etag', () => {
  const etag = layoutZip([member('a')]).etag
  test('is the same for the same members', () => expect(layoutZip([member('a')]).etag).toBe(etag))
  test.each<[string, Partial<ZipMember>]>([
    ['name', { name: 'b' }],
    ['size', { size: 4 }],
    ['checksum', { crc32: 2 }],
    ['time', { modifiedAt: new Date(0) }],
    ['object', { source: { kind: 'object', key: 'other' } }],
  ])('changes with the %s of a member', (_what, change) => expect(layoutZip([member('a', change)]).etag).not.toBe(etag))
})
