import '#web/testing/browser.ts'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { HOUR_MS, KEEP_ALIVE_EVERY_MS, MINUTE_MS } from '#contract/limits.ts'

const clocks = { wall: 1_800_000_000_000, steady: 0 }
const pass = (ms: number) => {
  clocks.wall += ms
  clocks.steady += ms
}
beforeEach(() => {
  window.localStorage.clear()
  vi.spyOn(Date, 'now').mockImplementation(() => clocks.wall)
  vi.spyOn(performance, 'now').mockImplementation(() => clocks.steady)
  onTestFinished(() => void vi.restoreAllMocks())
})

/** The module as a newly opened tab of the same browser loads it. */
async function openTab() {
  vi.resetModules()
  return import('./activity.ts')
}

describe('inactivity', () => {
  test('grows until the user does something', async () => {
    const tab = await openTab()
    pass(10 * MINUTE_MS)
    expect(tab.idleMs()).toBe(10 * MINUTE_MS)
    tab.markActive()
    pass(MINUTE_MS)
    expect(tab.idleMs()).toBe(MINUTE_MS)
  })

  test('goes on when the clock of the device is set back', async () => {
    const tab = await openTab()
    tab.markActive()
    pass(30 * MINUTE_MS)
    expect(tab.idleMs()).toBe(30 * MINUTE_MS)
    clocks.wall -= 2 * HOUR_MS
    for (let minute = 0; minute < 28; minute += 1) {
      pass(MINUTE_MS)
      tab.idleMs()
    }
    expect(tab.idleMs()).toBe(58 * MINUTE_MS)
  })

  test('includes the sleep of the device, in which only one of the clocks goes on', async () => {
    const tab = await openTab()
    tab.markActive()
    clocks.wall += 3 * HOUR_MS
    expect(tab.idleMs()).toBe(3 * HOUR_MS)
  })

  test('ends in all tabs with activity in one, even right after the clock was set back', async () => {
    const [one, other] = [await openTab(), await openTab()]
    one.markActive()
    pass(57 * MINUTE_MS)
    expect([one.idleMs(), other.idleMs()]).toEqual([57 * MINUTE_MS, 57 * MINUTE_MS])
    clocks.wall -= 5 * HOUR_MS
    one.markActive()
    expect([one.idleMs(), other.idleMs()]).toEqual([0, 0])
    pass(MINUTE_MS)
    expect([one.idleMs(), other.idleMs()]).toEqual([MINUTE_MS, MINUTE_MS])
  })

  test('of a tab whose timers were suspended counts from the latest activity in another tab', async () => {
    const [one, other] = [await openTab(), await openTab()]
    pass(50 * MINUTE_MS)
    one.markActive()
    pass(20 * MINUTE_MS)
    expect(other.idleMs()).toBe(20 * MINUTE_MS)
  })

  test('does not end with a reload of the page', async () => {
    const before = await openTab()
    before.markActive()
    pass(40 * MINUTE_MS)
    const after = await openTab()
    expect(after.idleMs()).toBe(40 * MINUTE_MS)
  })
})

describe('the report of activity', () => {
  test('is due five minutes after the last one, and only after activity that the server does not know of', async () => {
    const tab = await openTab()
    tab.markActive()
    tab.reportActivity().arrived()
    pass(KEEP_ALIVE_EVERY_MS)
    expect(tab.isReportDue()).toBe(false)
    tab.markActive()
    expect(tab.isReportDue()).toBe(true)
    const report = tab.reportActivity()
    expect(tab.isReportDue()).toBe(true)
    report.arrived()
    expect(tab.isReportDue()).toBe(false)
  })

  test('is not made by calls of a page that nobody uses: they say for how long', async () => {
    const tab = await openTab()
    tab.markActive()
    pass(20 * MINUTE_MS)
    expect(tab.reportActivity().idleSeconds).toBe(1_200)
  })

  test('is due after activity that the last call could not know', async () => {
    const tab = await openTab()
    tab.markActive()
    pass(KEEP_ALIVE_EVERY_MS)
    tab.reportActivity().arrived()
    tab.markActive()
    expect(tab.isReportDue()).toBe(true)
  })
})
