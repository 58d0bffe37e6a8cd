import { expect, test } from 'vitest'
import { sessionWith } from '#web/testing/session.ts'
import { can, userCan } from './session.ts'

test('a permission is checked in its area', () => {
  const session = sessionWith(['delete_accounts'])
  expect(userCan(session, 'delete_accounts', 'accounts')).toBe(true)
  expect(userCan(session, 'delete_accounts', 'users')).toBe(false)
  expect(userCan(session, 'delete_users', 'users')).toBe(false)
})

test('a permission without an area is found in any', () => {
  const session = sessionWith(['delete_accounts'])
  expect([can(session, 'delete_accounts'), can(session, 'delete_users')]).toEqual([true, false])
})
