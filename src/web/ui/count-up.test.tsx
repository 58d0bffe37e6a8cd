import '#web/testing/browser.ts'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatMoney } from '#contract/format.ts'
import { CountUp, CountUpVisit } from './count-up.tsx'

let frames: FrameRequestCallback[] = []
let started = 0
const matchMedia = window.matchMedia

beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (step: FrameRequestCallback) => frames.push(step))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  window.matchMedia = matchMedia
})

/** Runs the frame that is due; the browser's time of a frame can be before the time of the script that requested it. */
const frameAt = (ms: number) =>
  act(() => {
    for (const step of frames.splice(0)) step(started - 12 + ms)
  })
/** The rendered number that sighted users see. */
const shown = (container: HTMLElement) => container.querySelector('[aria-hidden]')?.textContent
const locations = (value: number) => <CountUp name="Locations" value={value} />

function show(value = 1000) {
  started = performance.now()
  const view = render(<CountUpVisit>{locations(value)}</CountUpVisit>)
  return { ...view, change: (next: number) => view.rerender(<CountUpVisit>{locations(next)}</CountUpVisit>) }
}

test('a number that counts up stays between zero and its value', () => {
  const { container } = show()
  const seen = [0, 1, 400, 1990].map((ms) => {
    frameAt(ms)
    return Number(shown(container)?.replace(/[$,]/g, ''))
  })
  expect(seen.every((number) => number >= 0 && number <= 1000)).toBe(true)
  frameAt(2013)
  expect(shown(container)).toBe('1,000')
})

test('a number shows its next value at once after it has counted up', () => {
  const { container, change } = show()
  frameAt(0)
  frameAt(2013)
  change(400)
  expect(shown(container)).toBe('400')
})

test('a number counts up once while its page is open', () => {
  const { container, rerender } = show()
  rerender(<CountUpVisit>another tab</CountUpVisit>)
  rerender(<CountUpVisit>{locations(1000)}</CountUpVisit>)
  expect(shown(container)).toBe('1,000')
})

test('money does not count up', () => {
  const { container } = render(
    <CountUpVisit>
      <CountUp name="TIV" value={1000} format={formatMoney} money />
    </CountUpVisit>,
  )
  expect(shown(container)).toBe('$1,000')
  expect(frames).toEqual([])
})

test('a number does not count up with reduced motion', () => {
  window.matchMedia = (query) => ({ ...matchMedia(query), matches: query.includes('reduced-motion') })
  expect(shown(show().container)).toBe('1,000')
  expect(frames).toEqual([])
})

test('assistive technology reads only the final value', () => {
  const { container } = show()
  frameAt(300)
  expect(container.querySelector('.visually-hidden')?.textContent).toBe('1,000')
  expect(container.querySelector('.tabular')?.children).toHaveLength(2)
})
