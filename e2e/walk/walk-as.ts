import type { Browser, Page } from '@playwright/test'
import { setTimeout as pause } from 'node:timers/promises'
import { DESKTOP } from '../support/screens.ts'
import { Frontier } from './addresses.ts'
import { observe } from './observe.ts'
import type { Walker } from './people.ts'
import { rareRecords } from './records.ts'
import { visit, type Seen, type Visit } from './visit.ts'

const CONTEXTS = 2
const POLL_MS = 100
const ERROR_CHARACTERS = 300
const NO_SUCH_ACCOUNT = '/accounts/00000000-0000-7000-8000-000000000000?tab=overview'
const NO_SUCH_PAGE = '/no-such-page'
/** Opening it ends the session. */
const MAINTENANCE = '/maintenance'

export interface Walk {
  walker: Walker
  browser: Browser
  base: string
  /** All routes of the product, with `$` before the names of params. */
  routes: readonly string[]
  folder: string
  allRules: boolean
  perKind: number
}

/** Visits every address that the role can reach, in several contexts at once. */
export async function walkAs(walk: Walk): Promise<Visit[]> {
  const frontier = new Frontier(walk.perKind)
  const routes = walk.routes.filter((route) => route !== MAINTENANCE || walk.walker.signIn === undefined)
  const fixed = routes.filter((route) => !route.includes('$'))
  for (const address of ['/', ...fixed, NO_SUCH_PAGE, NO_SUCH_ACCOUNT]) frontier.add(address, 'table')
  const { signIn } = walk.walker
  if (signIn !== undefined) for (const address of await rareRecords(walk.base, signIn)) frontier.add(address, { link: 'a list of the API' })
  const claimed = new Set<string>()
  const claim = (address: string) => {
    if (claimed.has(address)) return false
    claimed.add(address)
    return true
  }
  const visits: Visit[] = []
  let working = 0

  const work = async () => {
    const page = await signedInPage(walk)
    const observed = observe(page)
    const { base, folder, allRules, walker } = walk
    for (;;) {
      const step = nextStep(frontier, routes)
      if (step === undefined) {
        if (working === 0) break
        await pause(POLL_MS)
        continue
      }
      if (!claim(step.address)) continue
      working += 1
      const number = claimed.size
      const visitor = { role: walker.role, base, page, observed, folder, allRules, claim, isSignedIn: walker.signIn !== undefined }
      const seen = await visit(visitor, step, number).catch((error: unknown) => {
        if (!walk.browser.isConnected()) throw error
        return failed(walker.role, step.address, error)
      })
      visits.push(seen.visit)
      for (const link of seen.links) frontier.add(link, { link: step.address })
      working -= 1
    }
    await page.context().close()
  }
  await Promise.all(Array.from({ length: CONTEXTS }, work))
  return visits.toSorted((left, right) => (left.address < right.address ? -1 : 1))
}

/** The other screens are walked nevertheless. */
const failed = (role: string, address: string, error: unknown): Seen => ({
  visit: { role, address, leadsTo: undefined, pictures: [], problems: [`the visit failed: ${String(error).slice(0, ERROR_CHARACTERS)}`] },
  links: [],
})

function nextStep(frontier: Frontier, routes: readonly string[]) {
  const step = frontier.next()
  if (step !== undefined) return step
  frontier.addMissing(routes)
  return frontier.next()
}

/** Tokens are exchanged during a session, so that each context has a session of its own. */
async function signedInPage({ browser, base, walker }: Walk): Promise<Page> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
    locale: 'en-US',
    baseURL: base,
  })
  const page = await context.newPage()
  const { signIn } = walker
  if (signIn === undefined) return page
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(signIn.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(signIn.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Logout' }).waitFor()
  return page
}
