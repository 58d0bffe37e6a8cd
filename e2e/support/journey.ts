import { expect, test as base, type Locator, type Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from './client.ts'
import { E2E_ADMIN, PASSWORD, signedIn } from './people.ts'
import { axeFindings, DESKTOP, PHONE, SCHEMES, setScheme } from './screens.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const SCREENSHOTS = join(import.meta.dirname, '../screenshots')

export interface World {
  /** The address of the server. */
  address: string
  dataDir: string
  /** A client signed in as the administrator, for test data. */
  admin: Client
}

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is set by playwright.config.ts`)
  return value
}

export const test = base.extend<object, { world: World }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names of what a fixture needs from this pattern
    async ({}, provide) => {
      const address = `http://127.0.0.1:${setting('PLUMBLINE_E2E_PORT')}`
      await provide({ address, dataDir: setting('PLUMBLINE_E2E_DATA'), admin: await signedIn(address, E2E_ADMIN) })
    },
    { scope: 'worker' },
  ],
  /** Every journey also checks that no script error occurs in the page. */
  page: async ({ page }, provide) => {
    const failures: string[] = []
    page.on('pageerror', (error) => failures.push(error.stack ?? error.message))
    await provide(page)
    expect(failures, 'errors thrown in the page').toEqual([])
  },
})

/** Waits for what another user added to the list on screen. If it moves rows that are shown, the list counts it first and shows it on request. */
export async function showAdded(page: Page, added: Locator): Promise<void> {
  const changes = page.getByRole('button', { name: /^\d+ rows? changed$/ })
  await expect(async () => {
    if (await changes.isVisible()) await changes.click()
    await expect(added).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
}

/**
 * Checks the current screen with axe and takes a screenshot, in both color schemes, and with `phone` also in the size of a phone.
 * A finding fails the test without ending it, so that one run reports all findings.
 */
export async function checkScreen(page: Page, name: string, { phone = false }: { phone?: boolean } = {}): Promise<void> {
  // A toast covers the bottom of the page for some seconds.
  const toasts = page.locator('.mantine-Notification-root')
  // It stays while the pointer is over it, as after a click on Undo.
  if ((await toasts.count()) > 0) await page.mouse.move(0, 0)
  await expect(toasts).toHaveCount(0)
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
  await checkSchemes(page, name)
  if (!phone) return
  await page.setViewportSize(PHONE)
  await checkSchemes(page, `${name}-phone`)
  const { content, shown } = await page.evaluate(() => ({ content: document.documentElement.scrollWidth, shown: window.innerWidth }))
  expect.soft(content, `${name}: the page is not wider than the phone`).toBeLessThanOrEqual(shown)
  await page.setViewportSize(DESKTOP)
}

async function checkSchemes(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  for (const scheme of SCHEMES) {
    await setScheme(page, scheme)
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${scheme}.png`) })
    // The second scheme differs only in colors.
    const findings = await axeFindings(page, scheme === SCHEMES[0] ? RULES : ['color-contrast'])
    expect.soft(findings, `${name} in ${scheme} passes axe`).toEqual([])
  }
  await setScheme(page, SCHEMES[0])
}

/** Fills in the sign-in form that is on screen. */
export async function fillSignIn(page: Page, email: string, password: string = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens the path, signs in and waits for the page. */
export async function signInAt(page: Page, email: string, path = '/', password = PASSWORD): Promise<void> {
  await page.goto(path)
  await fillSignIn(page, email, password)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
}
