import { expect, type Locator, type Page } from '@playwright/test'

export const TAB_STOPS_MAX = 60

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement).catch(() => false)

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < TAB_STOPS_MAX; stop += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${String(target)} is not reached within ${TAB_STOPS_MAX} presses of Tab`)
}

/** Goes to the target with Tab and presses Enter. */
export async function enterOn(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Replaces the text of a field, which is reached with Tab. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** After a step, the next Tab continues where the user was, instead of at the top of the page. */
export const expectFocusWithin = (target: Locator, step: string): Promise<void> =>
  expect
    .poll(() => target.evaluate((element) => element.contains(document.activeElement)), { message: `the focus is kept after ${step}` })
    .toBe(true)
