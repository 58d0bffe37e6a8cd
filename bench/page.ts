import { chromium, type Browser, type Page } from '@playwright/test'
import { sharingCalls } from '#contract/sharing.ts'
import { makeAccount } from '../e2e/support/arrange.ts'
import { findOrInstallChromium } from '../scripts/chromium.mjs'
import { buildWeb } from '../scripts/build-web.mjs'
import type { Effort } from './stage.ts'
import { kilobytes, limitFigure, median, milliseconds, type Line } from './figures.ts'
import { BROKER, openStage, type Stage } from './stage.ts'

const SIGN_IN_AT_MOST_BYTES = 180_000
const LIST_AT_MOST_BYTES = 300_000
const GUEST_AT_MOST_BYTES = 250_000
const ROWS_AT_MOST_MS = 1_000
const SHIFT_AT_MOST = 0.02
const ROWS = '[role="row"], tbody tr'
/** A number of rows that the skeleton of the list does not have. */
const FULL_PAGE = 10

interface Seen {
  scriptBytes: number
  requests: number
  rowsMs: number
  shift: number
}

/** Bytes sent to a browser with an empty cache, and the time until the list of accounts is visible. */
export async function measurePage({ lists, rounds }: Effort): Promise<Line[]> {
  const executablePath = await findOrInstallChromium()
  if (executablePath === undefined)
    return [{ what: 'page in a browser', skipped: 'there is no Chromium; set PLUMBLINE_CHROMIUM to its path' }]
  await buildWeb()
  const stage = await openStage(lists)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const signIn = await sentForSignIn(browser, stage)
    const guest = await sentForGuest(browser, stage)
    const lists: Seen[] = []
    for (let round = 0; round < rounds; round += 1) lists.push(await openList(browser, stage))
    const { scriptBytes, requests } = lists[0] ?? { scriptBytes: Number.NaN, requests: Number.NaN }
    return [
      limitFigure(`script sent for the sign-in page (${signIn.requests} files)`, signIn.bytes, SIGN_IN_AT_MOST_BYTES, kilobytes),
      limitFigure(`script sent for the accounts list (${requests} files)`, scriptBytes, LIST_AT_MOST_BYTES, kilobytes),
      limitFigure(`script sent for the first page of a visitor (${guest.requests} files)`, guest.bytes, GUEST_AT_MOST_BYTES, kilobytes),
      limitFigure('accounts list, cold: rows visible after', median(lists.map(({ rowsMs }) => rowsMs)), ROWS_AT_MOST_MS, milliseconds),
      limitFigure('accounts list, cold: layout shift', median(lists.map(({ shift }) => shift)), SHIFT_AT_MOST, (value) => value.toFixed(4)),
    ]
  } finally {
    await browser.close()
    await stage.close()
  }
}

/** Compressed bytes of scripts, without response headers. */
async function countScripts(page: Page) {
  const counted = { bytes: 0, requests: 0 }
  const headerBytes = new Map<string, number>()
  const session = await page.context().newCDPSession(page)
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headerBytes.set(requestId, response.encodedDataLength)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const headers = headerBytes.get(requestId)
    if (headers === undefined) return
    counted.bytes += encodedDataLength - headers
    counted.requests += 1
  })
  await session.send('Network.enable')
  return counted
}

async function sentForSignIn(browser: Browser, { product }: Stage) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const counted = await countScripts(page)
    await page.goto(`${product.address}/login`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    return counted
  } finally {
    await context.close()
  }
}

/** From the link to the page of the account, with the tour that opens over it. */
async function sentForGuest(browser: Browser, { product, broker }: Stage) {
  const id = await makeAccount(broker, `Bench visitor ${Date.now()}`, 3)
  const { data: link } = await broker(sharingCalls.createLink, { params: { id }, body: { label: 'Visitor' } })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    const counted = await countScripts(page)
    await page.goto(`${product.address}${new URL(link.link).pathname}`)
    await page.getByRole('heading', { name: 'Largest properties' }).waitFor()
    await page.getByRole('button', { name: 'Skip Tour' }).first().waitFor()
    await page.waitForLoadState('networkidle')
    return counted
  } finally {
    await context.close()
  }
}

/** Signs in in one browser, then opens the list in a second one that has only the session. */
async function openList(browser: Browser, { product }: Stage): Promise<Seen> {
  const first = await browser.newContext()
  const signIn = await first.newPage()
  await signIn.goto(`${product.address}/login`)
  await signIn.getByRole('checkbox', { name: 'Remember me' }).check()
  await signIn.getByRole('textbox', { name: 'Email' }).fill(BROKER.email)
  await signIn.getByRole('textbox', { name: 'Password' }).fill(BROKER.password)
  await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
  await signIn.getByRole('navigation', { name: 'Main' }).waitFor()
  const storageState = await first.storageState()
  await first.close()

  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    const counted = await countScripts(page)
    await page.addInitScript(observe, { rows: ROWS, full: FULL_PAGE })
    await page.goto(`${product.address}/accounts`)
    await page.waitForFunction(() => 'rowsMs' in window)
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(500)
    const { rowsMs, shift } = await page.evaluate(() => ({
      rowsMs: Number(Reflect.get(window, 'rowsMs')),
      shift: Number(Reflect.get(window, 'shift')),
    }))
    return { scriptBytes: counted.bytes, requests: counted.requests, rowsMs, shift }
  } finally {
    await context.close()
  }
}

/** Runs in the page before its own scripts: sums layout shifts and records when the rows are first visible. */
function observe({ rows, full }: { rows: string; full: number }): void {
  Reflect.set(window, 'shift', 0)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (Reflect.get(entry, 'hadRecentInput') !== true)
        Reflect.set(window, 'shift', Number(Reflect.get(window, 'shift')) + Number(Reflect.get(entry, 'value')))
  }).observe({ type: 'layout-shift', buffered: true })
  const look = () => {
    const filled = [...document.querySelectorAll(rows)].filter((row) => (row.textContent ?? '').includes('SC-'))
    if (filled.length < full) return void requestAnimationFrame(look)
    requestAnimationFrame(() => Reflect.set(window, 'rowsMs', performance.now()))
  }
  requestAnimationFrame(look)
}
