import { describe, expect, test } from 'vitest'
import { isInstalled } from './install.mjs'

const WANTED = {
  '': { version: '0.1.0' },
  'node_modules/zod': { version: '4.6.7' },
  'node_modules/engine-for-another-machine': { version: '1.0.0', optional: true },
}

describe('packages are installed again when', () => {
  test.each([
    ['nothing is installed', undefined],
    ['a package is missing', {}],
    ['a package has another version', { 'node_modules/zod': { version: '4.6.8' } }],
    [
      'an optional package has another version',
      { 'node_modules/zod': { version: '4.6.7' }, 'node_modules/engine-for-another-machine': { version: '0.9.0' } },
    ],
  ])('%s', (_why, present) => {
    expect(isInstalled(WANTED, present)).toBe(false)
  })
})

test('packages of other machines need not be there', () => {
  expect(isInstalled(WANTED, { 'node_modules/zod': { version: '4.6.7' } })).toBe(true)
})
