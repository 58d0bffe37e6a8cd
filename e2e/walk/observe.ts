import type { Page, Request, Response } from '@playwright/test'
import { setTimeout as pause } from 'node:timers/promises'

const QUIET_MS = 250
const POLL_MS = 50
const SETTLE_MS = 20_000
const FAILED_LOAD = 'Failed to load resource'
/** Marks of a screen that is not complete. */
const LOADING = [
  '[role="status"][aria-label^="Loading"]',
  '[aria-busy="true"]',
  // The whole page while the session or an account loads.
  '[role="status"][data-kind]',
  '#root:empty',
  '.mantine-Skeleton-root[data-visible="true"]',
  // A panel gets its name with its content.
  '[role="dialog"]:not([aria-label]):not([aria-labelledby])',
  'body:has(.mantine-Drawer-overlay):not(:has([role="dialog"]))',
].join(', ')

export interface Observed {
  /** Errors of the page since the last call. */
  takeErrors(): string[]
  /** Waits until no request runs and nothing is loading; returns what still is after the time limit. */
  settle(): Promise<string[]>
}

/** Records the errors and requests of a page. */
export function observe(page: Page): Observed {
  const errors: string[] = []
  const running = new Set<Request>()
  let lastChangeAt = Date.now()
  const ended = (request: Request) => {
    running.delete(request)
    lastChangeAt = Date.now()
  }
  page.on('request', (request) => {
    running.add(request)
    lastChangeAt = Date.now()
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  page.on('response', (response) => errors.push(...responseErrors(response)))
  page.on('pageerror', (error) => errors.push(`error in the page: ${error.message}`))
  page.on('console', (message) => {
    // The response itself is recorded with its address.
    if (message.type() === 'error' && !message.text().startsWith(FAILED_LOAD)) errors.push(`error in the console: ${message.text()}`)
  })
  // A page that is left ends its requests without an event.
  page.on('framenavigated', (frame) => void (frame === page.mainFrame() && running.clear()))

  const settle = async () => {
    const until = Date.now() + SETTLE_MS
    for (;;) {
      const isQuiet = () => running.size === 0 && Date.now() - lastChangeAt >= QUIET_MS
      if (isQuiet()) await untilIdle(page)
      const loading = isQuiet() ? await loadingParts(page) : []
      if (isQuiet() && loading.length === 0) return []
      if (Date.now() > until) {
        const requests = [...running].map((request) => `request still running: ${new URL(request.url()).pathname}`)
        return [...requests, ...loading.map((part) => `still loading: ${part}`)]
      }
      await pause(POLL_MS)
    }
  }
  return { takeErrors: () => errors.splice(0), settle }
}

const responseErrors = (response: Response): string[] =>
  response.status() < 400 ? [] : [`response ${response.status()}: ${response.request().method()} ${new URL(response.url()).pathname}`]

const IDLE_MS = 2_000

/**
 * Until the page has run its scripts and painted: on a busy machine it can take long until it requests what it needs. Chromium sometimes
 * calls an idle page only when the time is up.
 */
const untilIdle = (page: Page): Promise<void> =>
  page.evaluate(
    (timeout) => new Promise<void>((resolve) => requestIdleCallback(() => requestAnimationFrame(() => resolve()), { timeout })),
    IDLE_MS,
  )

const loadingParts = (page: Page): Promise<string[]> =>
  page
    .locator(LOADING)
    .evaluateAll((found) =>
      found.flatMap((part) =>
        part.id === 'root' || part.checkVisibility() ? [part.getAttribute('aria-label') ?? part.textContent.trim().slice(0, 60)] : [],
      ),
    )
