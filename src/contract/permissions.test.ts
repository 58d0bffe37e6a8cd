import { expect, it } from 'vitest'
import { defaultPermissions, groupPermissions, PERMISSION_GROUPS, PERMISSION_NAMES, permissionLabel } from './permissions.ts'

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
  ['view_dashboard_component', 'Pages: open dashboard'],
  ['update_account_status', 'Accounts: update account status'],
  ['manage_flags', 'Properties: manage flags'],
  ['view_account_files_datatable_column_settings', 'Documents: choose columns of the list'],
  ['view_property_types_pie_metric', 'Accounts: see property types pie chart'],
  ['fly_to_the_moon', 'Fly to the moon'],
])('the label of %s is %s', (name, label) => {
  expect(permissionLabel(name)).toBe(label)
})

it('labels of permissions are different and contain no technical words', () => {
  const labels = PERMISSION_NAMES.map(permissionLabel)
  expect(new Set(labels).size).toBe(labels.length)
  expect(labels.filter((label) => /_|init|component|datatable|metric/i.test(label))).toEqual([])
})
