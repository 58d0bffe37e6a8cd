import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { SidePanel } from './route-panel.tsx'

afterEach(resetPage)

const coveredWidth = () => document.documentElement.style.getPropertyValue('--panel-width')

test.each([
  ['small', '480px'],
  ['medium', '640px'],
  ['wide', '880px'],
] as const)(
  'a %s panel says which part of the window it covers until it is closed, so that toasts appear next to it',
  async (size, width) => {
    renderWithSession(
      <SidePanel title="Tower" size={size} onClose={() => undefined}>
        Facts
      </SidePanel>,
      { session: sessionWith([]) },
    )
    await screen.findByText('Facts')
    expect(coveredWidth()).toBe(width)
    cleanup()
    expect(coveredWidth()).toBe('')
  },
)
