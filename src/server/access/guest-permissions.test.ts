import { expect, it } from 'vitest'
import type { PermissionName } from '#contract/permissions.ts'
import { guestPermissions } from './guest-permissions.ts'

const GIVEN: PermissionName[] = ['view_account_files', 'view_account_files_datatable_actions', 'download_files', 'update_account_files']
const ACTIONS = 'view_account_files_datatable_actions'

it.each([
  [{ mayDownload: true, seesAll: true }, true],
  [{ mayDownload: true, seesAll: false }, true],
  [{ mayDownload: false, seesAll: true }, true],
  [{ mayDownload: false, seesAll: false }, false],
])('with the rights %j documents can be selected: %s', (rights, selects) => {
  expect(guestPermissions(GIVEN, rights).includes(ACTIONS)).toBe(selects)
})
