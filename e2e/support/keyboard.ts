import type { Locator, Page } from '@playwright/test'

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
