import { expect, it } from 'vitest'
import { defaultPermissions, groupPermissions, PERMISSION_GROUPS, PERMISSION_NAMES } from './permissions.ts'

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

it('the permissions that open the pages of models are in one group with those of other pages', () => {
  const { init, ...others } = PERMISSION_GROUPS
  expect(init).toEqual(expect.arrayContaining(['view_dashboard_component', 'view_accounts_component', 'view_roles_component']))
  expect(Object.values(others).flatMap((names) => names.filter((name) => name.endsWith('_component')))).toEqual([])
})
