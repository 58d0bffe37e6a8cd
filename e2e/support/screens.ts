import type { Page } from '@playwright/test'
import axe from 'axe-core'

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }
export const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

declare global {
  interface Window {
    axe: typeof axe
  }
}

/**
 * Runs axe in the page, without `only` with all rules. Its Playwright package loads axe three times for each check and opens a second page,
 * which takes five times as long.
 */
export async function axeFindings(page: Page, only?: string[]): Promise<string[]> {
  if (page.frames().length > 1) throw new Error('axe does not look into frames')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async (rules) => {
    const found = await window.axe.run(document, { ...(rules === null ? {} : { runOnly: rules }), resultTypes: ['violations'] })
    return found.violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, target, failureSummary }) => ({ html, target: target.join(' '), failureSummary })),
    }))
  }, only ?? null)
  return violations.flatMap(({ id, nodes }) =>
    nodes
      // The frozen column can cover half a cell until the table is scrolled.
      .filter(({ html }) => id !== 'target-size' || !html.includes('data-row-control'))
      .map(({ target, failureSummary }) => `${id}: ${target} — ${failureSummary ?? ''}`),
  )
}

/** Switches the color scheme and waits until it is applied; with reduced motion nothing fades. */
export async function setScheme(page: Page, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.waitForFunction((wanted) => document.documentElement.dataset['mantineColorScheme'] === wanted, scheme)
  const fading = await page.evaluate(() => document.getAnimations().filter((animation) => animation instanceof CSSTransition).length)
  if (fading > 0) throw new Error(`${fading} transitions where motion is reduced`)
}
