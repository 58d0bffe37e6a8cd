import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OFFLINE_PROBE_MS } from '#contract/limits.ts'
import { sessionCalls } from '#contract/session.ts'
import { onPageEvent } from '#web/data/page-events.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { lazyPart } from './lazy-part.tsx'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  resetPage()
})

const FAILURE = 'This could not be loaded. Please reload the page.'
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

function renderPart() {
  const Missing = lazyPart<object>(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')), {
    fallback: 'Loading',
  })
  const page = (
    <>
      <input aria-label="Name" defaultValue="Typed" />
      <Missing />
    </>
  )
  renderWithSession(page, { session: sessionWith([]) })
}

test('a part whose code cannot be loaded leaves the rest of the page as it is', async () => {
  server.on(sessionCalls.status, () => ({ data: { status: 'up' as const } }))
  renderPart()
  await advance(100)
  expect(await screen.findByText(FAILURE)).toBeDefined()
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Typed')
})

test('while the service is unreachable a part is pending and the page learns about it', async () => {
  let up = false
  server.on(sessionCalls.status, () => (up ? { data: { status: 'up' as const } } : errorAnswer('no-answer')))
  const unreachable = vi.fn<() => void>()
  const stop = onPageEvent('unreachable', unreachable)
  renderPart()
  await advance(100)
  expect(unreachable).toHaveBeenCalledOnce()
  expect(screen.getByText('Loading')).toBeDefined()
  up = true
  await advance(OFFLINE_PROBE_MS)
  expect(await screen.findByText(FAILURE)).toBeDefined()
  stop()
})

interface NamedProps {
  name: string
}
const Named = ({ name }: NamedProps) => <p>Part of {name}</p>

test('a part whose code was loaded before is there at once', async () => {
  const fallback = vi.fn<() => string>(() => 'Loading')
  const Part = lazyPart<NamedProps>(() => Promise.resolve(Named), { fallback })
  Part.preload()
  await advance(0)
  renderWithSession(<Part name="Acme" />, { session: sessionWith([]) })
  expect(await screen.findByText('Part of Acme')).toBeDefined()
  expect(fallback).not.toHaveBeenCalled()
})

test('what is shown until the code is there depends on the properties of the part', async () => {
  const code = Promise.withResolvers<typeof Named>()
  const Part = lazyPart<NamedProps>(() => code.promise, { fallback: ({ name }) => `Loading ${name}` })
  renderWithSession(<Part name="Acme" />, { session: sessionWith([]) })
  expect(await screen.findByText('Loading Acme')).toBeDefined()
  code.resolve(Named)
  expect(await screen.findByText('Part of Acme')).toBeDefined()
})
