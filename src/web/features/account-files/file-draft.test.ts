import { expect, test } from 'vitest'
import { AccountFile } from '#contract/account-files.ts'
import { changesOf, draftOf } from './file-draft.ts'
import { aFile } from './account-files.fixture.ts'

test('nothing is sent while nothing has changed', () => {
  expect(changesOf(draftOf(aFile()), aFile())).toEqual({})
})

test('only what was changed is sent', () => {
  expect(changesOf({ ...draftOf(aFile()), vanity_name: 'Roof survey' }, aFile())).toEqual({ vanity_name: 'Roof survey' })
})

test('a new category goes with the submission flag that the person sees', () => {
  expect(changesOf({ ...draftOf(aFile()), category: 'sov', sov: false }, aFile())).toEqual({ category: 'sov', sov: false })
})

test('links are sent as a whole when one of them changed', () => {
  const file = aFile()
  const [first] = file.properties
  const draft = { ...draftOf(file), properties: { [first?.id ?? '']: 'same', '0198c0de-0000-7000-8000-000000000099': 'new' } }
  expect(changesOf(draft, file).properties).toEqual([first?.id, '0198c0de-0000-7000-8000-000000000099'])
})

test('the fixture is what the server sends', () => {
  expect(AccountFile.safeParse(aFile()).success).toBe(true)
})
