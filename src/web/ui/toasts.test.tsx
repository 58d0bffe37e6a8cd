import '#web/testing/browser.ts'
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { toast } from './toast.tsx'
import { Toasts } from './toasts.tsx'

afterEach(cleanup)

it('toasts appear at the bottom, where they cover no title', async () => {
  render(
    <MantineProvider env="test">
      <Toasts />
    </MantineProvider>,
  )
  toast.success('Saved.')
  const place = (await screen.findByText('Saved.')).closest('[data-position]')
  expect(place?.getAttribute('data-position')).toBe('bottom-left')
})
