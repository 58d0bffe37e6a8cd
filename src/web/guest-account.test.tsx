import { screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { propertyCalls } from '#contract/account-properties.ts'
import { fileCalls } from '#contract/account-files.ts'
import type { InitData } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

afterEach(resetPage)

/** What people see who only look, by default. */
const LOOK: PermissionName[] = [
  'view_account_details',
  'view_account_properties',
  'view_account_files',
  'view_account_reconciliation_metric',
  'view_risk_control',
]

function open(permissions: readonly PermissionName[], user: Partial<InitData['auth_user']>) {
  const session = sessionWith(permissions, user)
  accountServer(accountWith(), session)
    .on(propertyCalls.index, () => onePage([]))
    .on(fileCalls.index, () => onePage([]))
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
}

const WAYS = [
  ['an invitation', { via_invite: true }],
  ['a link', { via_share_link: true }],
] as const

describe.each(WAYS)('the account of people who came by %s', (_way, user) => {
  test('has the page for looking if they change nothing', async () => {
    open(LOOK, user)
    await screen.findByRole('region', { name: 'Largest properties' })
    expect(screen.queryByText('Account #')).toBeNull()
  })

  test.each(['create_account_properties', 'update_account_files', 'upload_account_files', 'resolve_discrepancies'] as const)(
    'has the page of members if they can %s',
    async (work) => {
      open([...LOOK, work], user)
      await screen.findByText('Effective Date')
      expect(screen.queryByRole('region', { name: 'Largest properties' })).toBeNull()
      screen.getByRole('region', { name: 'Sender' })
    },
  )
})
