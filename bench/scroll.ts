import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { z } from 'zod'
import { findOrInstallChromium } from '../scripts/chromium.mjs'
import { buildWeb } from '../scripts/build-web.mjs'
import { alternate, limitFigure, median, milliseconds, type Line } from './figures.ts'
import { ROOT } from './processes.ts'
import { BROKER, openStage, type Effort, type Stage } from './stage.ts'

const ROWS = 10_000
const FRAMES_AT_LEAST = 50
/** 50 frames a second leave as long for each. */
const FRAME_AT_MOST_MS = 20
const SCROLLED_MS = 4_000
/** Four rows of 40 px for each frame: faster than a hand can turn a wheel. */
const STEP_PX = 160
/** Opened by the developer tools of Chromium. */
const TRACE = join(ROOT, '.cache/bench/scroll-trace.json')

const COPIED = `status, property_name, interest, address, city, county, state, postal_code, latitude, longitude, geocode_level, construction_class,
  year_built, stories, floor_area, property_type, sprinklered, building_value, contents_value, bi_value, valuation_basis, valuation_date`

/** Frames of a list of 10,000 properties while it scrolls, and those of a plain HTML table with as many rows in the same browser. */
export async function measureScroll({ lists, rounds }: Effort): Promise<Line[]> {
  const executablePath = await findOrInstallChromium()
  if (executablePath === undefined)
    return [{ what: 'scrolling in a browser', skipped: 'there is no Chromium; set PLUMBLINE_CHROMIUM to its path' }]
  await buildWeb()
  const stage = await openStage(lists)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await openList(browser, stage, await largeAccount(stage))
    const plain = await openPlainTable(browser)
    const traced: number[][] = []
    const taken = await alternate(
      rounds,
      async () => {
        await page.bringToFront()
        await browser.startTracing(page, { path: TRACE, categories: ['toplevel', 'devtools.timeline'] })
        const frames = await scroll(page)
        await browser.stopTracing()
        traced.push(frames)
        return rateOf(frames)
      },
      async () => {
        await plain.bringToFront()
        return rateOf(await scroll(plain))
      },
    )
    const rate = median(taken.map(({ product }) => product))
    const yardstick = median(taken.map((round) => round.yardstick))
    return [
      {
        what: `scrolling ${ROWS.toLocaleString('en-US')} rows: frames a second`,
        measured: rate.toFixed(1),
        yardstick: `plain table: ${yardstick.toFixed(1)}`,
        ratio: (rate / yardstick).toFixed(2),
        goal: `≥ ${FRAMES_AT_LEAST}`,
        ok: rate >= FRAMES_AT_LEAST,
      },
      limitFigure(
        'the same: processor time of the page for each frame',
        pageTime(traced.at(-1)?.length ?? 0),
        FRAME_AT_MOST_MS,
        milliseconds,
      ),
    ]
  } finally {
    await browser.close()
    await stage.close()
  }
}

const rateOf = (frames: readonly number[]) => (1_000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0)

const Trace = z.object({
  traceEvents: z.array(z.object({ name: z.string(), pid: z.number(), tid: z.number(), tdur: z.number().optional() })),
})

/** Of the main thread, on average: unlike the frames a second, hardly affected by other programs. Read from the trace. */
function pageTime(frames: number): number {
  const { traceEvents: events } = Trace.parse(JSON.parse(readFileSync(TRACE, 'utf8')))
  const painted = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`)
  const main = [...painted.values()].toSorted((one, other) => framesIn(other) - framesIn(one))[0] ?? []
  const tasks = main.filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000 / frames
}

const framesIn = (events: readonly { name: string }[]) => events.filter(({ name }) => name === 'FireAnimationFrame').length

/** The same number of rows and columns as texts, all of them in the page. */
async function openPlainTable(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const row = `<tr>${'<td>1,234,000</td>'.repeat(14)}</tr>`
  await page.setContent(
    `<div role="region" aria-label="Table of properties" style="height:700px;overflow:auto"><table style="table-layout:fixed;width:100%;line-height:39px">${row.repeat(ROWS)}</table></div>`,
  )
  return page
}

/** An account of the broker's company with as many properties; made by the first run. */
async function largeAccount({ database, companyId }: Stage): Promise<string> {
  const { rows } = await database.query<{ id: string; count: number }>(
    `SELECT a.id, (SELECT count(*)::int FROM account_properties p WHERE p.account_id = a.id) AS count
     FROM accounts a WHERE a.company_id = $1 AND a.deleted_at IS NULL ORDER BY count DESC LIMIT 1`,
    [companyId],
  )
  const { id, count } = rows[0] ?? { id: '', count: 0 }
  await database.query(
    `INSERT INTO account_properties (account_id, location_number, ${COPIED})
     SELECT $1, (100000 + row_number() OVER ())::text, ${COPIED}
     FROM (SELECT * FROM account_properties WHERE status = 'active' LIMIT $2) p`,
    [id, Math.max(0, ROWS - count)],
  )
  return id
}

async function openList(browser: Browser, { product }: Stage, accountId: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${product.address}/login`)
  await page.getByRole('textbox', { name: 'Email' }).fill(BROKER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(BROKER.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.goto(`${product.address}/accounts/${accountId}?tab=properties`)
  await page.locator('tbody tr[data-index="10"]').waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

/** The duration of each frame while the table scrolls from its top, in milliseconds. */
const scroll = (page: Page): Promise<number[]> =>
  page.evaluate(
    async ({ forMs, stepPx }) => {
      const area = document.querySelector('[role="region"][aria-label="Table of properties"]')
      if (area === null) throw new Error('There is no table.')
      area.scrollTop = 0
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
      const frames: number[] = []
      const begun = await nextFrame()
      let last = begun
      while (last - begun < forMs) {
        area.scrollTop += stepPx
        const now = await nextFrame()
        frames.push(now - last)
        last = now
      }
      return frames
    },
    { forMs: SCROLLED_MS, stepPx: STEP_PX },
  )
