import '#web/testing/browser.ts'
import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { TOAST_MS } from '#contract/limits.ts'
import { toast } from './toast.tsx'
import { Toasts } from './toasts.tsx'

afterEach(cleanup)

const renderToasts = () =>
  render(
    <MantineProvider env="test">
      <Toasts />
    </MantineProvider>,
  )

it('toasts appear at the top', async () => {
  renderToasts()
  toast.success('Saved.')
  const place = (await screen.findByText('Saved.')).closest('[data-position]')
  expect(place?.getAttribute('data-position')).toBe('top-center')
})

it('the button of a toast works once, also when it is clicked twice', async () => {
  renderToasts()
  const onClick = vi.fn<() => void>()
  toast.success('Changed.', { action: { label: 'Undo', onClick } })
  const undo = await screen.findByRole('button', { name: 'Undo' })
  fireEvent.click(undo)
  fireEvent.click(undo)
  expect(onClick).toHaveBeenCalledTimes(1)
})

it('the same message twice is one toast', async () => {
  renderToasts()
  toast.alert('The server could not be reached.')
  await screen.findByText('The server could not be reached.')
  toast.alert('The server could not be reached.')
  toast.alert('The file is too large.')
  await screen.findByText('The file is too large.')
  // The first one may still be disappearing.
  await waitFor(() => expect(screen.getAllByText('The server could not be reached.')).toHaveLength(1))
})

it('the same message again is shown for its full time', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  renderToasts()
  const shown = () => screen.queryByText('The profile was saved.') !== null
  toast.success('The profile was saved.')
  await act(() => vi.advanceTimersByTimeAsync(TOAST_MS.success - 500))
  toast.success('The profile was saved.')
  await act(() => vi.advanceTimersByTimeAsync(TOAST_MS.success - 500))
  expect(shown()).toBe(true)
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(shown()).toBe(false)
})
