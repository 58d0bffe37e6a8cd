import { expect, it } from 'vitest'
import { DEFAULT_ROLE_NAMES, type RoleMarks } from './default-roles.ts'
import { defaultPermissions, groupPermissions, PERMISSION_GROUPS, PERMISSION_NAMES, permissionLabel } from './permissions.ts'

it('the columns of the permission table compile only with one x or dot for each default role', () => {
  const right: RoleMarks = 'xxx.....'
  const wrong: RoleMarks[] = [
    // @ts-expect-error -- one role is missing
    'xxx....',
    // @ts-expect-error -- one role too many
    'xxx......',
    // @ts-expect-error -- a capital letter
    'Xxx.....',
  ]
  expect([right, ...wrong].map((marks) => /^[x.]{8}$/.test(marks))).toEqual([true, false, false, false])
  expect(DEFAULT_ROLE_NAMES).toHaveLength(right.length)
})

it('a default role has the permissions with an x in its column', () => {
  expect(defaultPermissions('admin')).toEqual(PERMISSION_NAMES)
  expect(defaultPermissions('upload_only')).toEqual([
    'view_help_request',
    'view_account_details',
    'view_account_files',
    'upload_account_files',
  ])
})

it('permissions are grouped by model, with all groups present', () => {
  expect(Object.keys(PERMISSION_GROUPS).slice(0, 2)).toEqual(['init', 'accounts'])
  const groups = groupPermissions((name) => name === 'create_roles')
  expect(Object.keys(groups)).toEqual(Object.keys(PERMISSION_GROUPS))
  expect(Object.entries(groups).filter(([, names]) => names.length > 0)).toEqual([['role', ['create_roles']]])
})

it.each([
  ['update_account_status', 'Accounts: update account status'],
  ['manage_flags', 'Account properties: manage flags'],
  ['fly_to_the_moon', 'Fly to the moon'],
])('the label of %s is %s', (name, label) => {
  expect(permissionLabel(name)).toBe(label)
})
