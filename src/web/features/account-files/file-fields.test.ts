import { expect, test } from 'vitest'
import { AccountFile } from '#contract/account-files.ts'
import { changesOf, draftOf } from './file-fields.ts'
import { aFile } from './account-files.fixture.ts'

test('an unchanged form sends nothing', () => {
  expect(changesOf(draftOf(aFile()), aFile())).toEqual({})
})

test('a form sends only the changed values', () => {
  expect(changesOf({ ...draftOf(aFile()), vanity_name: 'Roof survey' }, aFile())).toEqual({ vanity_name: 'Roof survey' })
})

test('a new category is sent together with the submission flag shown in the form', () => {
  expect(changesOf({ ...draftOf(aFile()), category: 'sov', sov: false }, aFile())).toEqual({ category: 'sov', sov: false })
})

test('all links are sent when one of them changed', () => {
  const file = aFile()
  const [first] = file.properties
  const draft = { ...draftOf(file), properties: { [first?.id ?? '']: 'same', '0198c0de-0000-7000-8000-000000000099': 'new' } }
  expect(changesOf(draft, file).properties).toEqual([first?.id, '0198c0de-0000-7000-8000-000000000099'])
})

test('the fixture matches the schema of the call', () => {
  expect(AccountFile.safeParse(aFile()).success).toBe(true)
})
