import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { accountCalls } from '#contract/accounts.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

afterEach(resetPage)

test.each([
  [
    'the message of the server as a warning',
    'internal',
    'The archive of accounts is closed.',
    'Warning: The archive of accounts is closed.',
  ],
  [
    'a broken connection as an alert',
    'no-answer',
    '',
    'Problem: The server could not be reached. Please check your connection and try again.',
  ],
] as const)('the page of an account shows %s in a toast', async (_case, kind, message, text) => {
  const session = sessionWith(['view_account_details', 'view_accounts_component'])
  accountServer(accountWith(), session).on(accountCalls.show, () => errorAnswer(kind, message))
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  const toast = await screen.findByText((_text, element) => element?.tagName === 'SPAN' && element.textContent === text)
  expect(toast.closest('[role="alert"]')).not.toBeNull()
})
