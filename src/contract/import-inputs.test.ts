import { expect, test } from 'vitest'
import { ImportPatch } from './import-inputs.ts'

test.each([
  ['one sheet', { sheet: 1 }, true],
  ['several sheets', { sheets: [0, 1] }, true],
  ['the same sheet twice', { sheet: 1, sheets: [1] }, true],
  ['one sheet and others', { sheet: 1, sheets: [0, 1] }, false],
])('a change of an import to %s is accepted unless the sheets contradict each other', (_what, patch, isValid) =>
  expect(ImportPatch.safeParse(patch).success).toBe(isValid),
)
