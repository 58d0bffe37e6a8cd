import { expect, test } from 'vitest'
import { codesOf, labeledByCode } from './code-lists.ts'

test('labeledByCode writes each code as words', () =>
  expect(labeledByCode('none', 'lease_ended', 'crawl_space_2')).toEqual({
    none: 'None',
    lease_ended: 'Lease ended',
    crawl_space_2: 'Crawl space 2',
  }))

test('codesOf lists the codes in their order', () => expect(codesOf({ wet: 'Wet', dry: 'Dry' })).toEqual(['wet', 'dry']))
