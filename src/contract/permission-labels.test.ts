import { expect, it } from 'vitest'
import { permissionLabel, permissionTexts } from './permission-labels.ts'
import { PERMISSION_NAMES } from './permissions.ts'

it.each([
  ['view_dashboard_component', 'Pages: Open the dashboard'],
  ['update_account_status', 'Accounts: Change the status of an account'],
  ['view_dashboard_account_datatable', 'Accounts: See lists of accounts on the dashboard'],
  ['view_account_files_datatable_column_settings', 'Documents: Choose the columns of the list of documents'],
  ['view_account_invites_datatable_search', 'Invitations: Search the list of invitations'],
  ['view_roles_component', 'Pages: Open the list of roles'],
  ['delete_users', 'Users: Delete and restore users'],
  ['delete_risk_control', 'Accounts: Delete risk control reports'],
  ['view_property_types_pie_metric', 'Accounts: See the chart of property types by number'],
  ['fly_to_the_moon', 'Fly to the moon'],
])('the label of %s is %s', (name, label) => {
  expect(permissionLabel(name)).toBe(label)
})

it('every permission has a heading and a label of its own that says what a user can do, without technical words', () => {
  const texts = PERMISSION_NAMES.map(permissionTexts)
  expect(texts.filter(({ heading }) => heading === undefined)).toEqual([])
  const labels = texts.map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
  const verbs =
    /^(Add|Change|Check|Choose|Create|Delete|Download|Edit|Extend|Filter|Flag|Import|Invite|Open|Organize|Permanently delete|Preview|Report|Search|See|Switch|Turn|Upload|Use)\b/
  expect(labels.filter((label) => !verbs.test(label) || /_|\b(init|component|datatable|metric|simple)\b/i.test(label))).toEqual([])
})
