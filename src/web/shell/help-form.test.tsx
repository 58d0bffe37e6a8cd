import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { helpCalls } from '#contract/help.ts'
import { errorAnswer, fakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { HeadingBar } from './heading-bar.tsx'

afterEach(resetPage)

describe('the report of a problem', () => {
  const openHelp = async () => {
    const session = sessionWith(['view_help_request'])
    const { user } = renderWithSession(<HeadingBar onMenu={undefined} />, { session, path: '/profile' })
    await user.click(await screen.findByRole('button', { name: 'Help' }))
    return { user, message: await screen.findByRole('textbox', { name: 'Report a problem' }) }
  }

  it('is sent with the page, and answered in place', async () => {
    const server = fakeServer().on(helpCalls.send, () => ({ data: null, message: "Thanks! We'll get back to you soon." }))
    const { user, message } = await openHelp()
    await user.type(message, 'The map is empty.')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText("Thanks! We'll get back to you soon.")).toBeDefined()
    expect(server.bodies(helpCalls.send)).toMatchObject([{ message: 'The map is empty.', state: { route: '/profile' } }])
  })

  it('stays with what was entered, and says so, when the permission is taken away', async () => {
    fakeServer()
    const { user, message } = await openHelp()
    await user.type(message, 'The map is empty.')
    act(() => signInAs(sessionWith([])))
    expect(await screen.findByText('You can no longer send this.')).toBeDefined()
    expect(screen.getByDisplayValue('The map is empty.')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Help' })).toBeNull())
  })

  it('is not sent without a message, and shows the error of the server at it', async () => {
    const server = fakeServer().on(helpCalls.send, () => errorAnswer('invalid', 'Check.', { message: ['Please describe the problem.'] }))
    const { user, message } = await openHelp()
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Please describe the problem.')).toBeDefined()
    expect(server.bodies(helpCalls.send)).toEqual([])
    await user.type(message, 'x')
    expect(screen.queryByText('Please describe the problem.')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Please describe the problem.')).toBeDefined()
  })
})
