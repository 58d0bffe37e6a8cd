import type { Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { axeFindings, DESKTOP, PHONE, SCHEMES, setScheme, type Scheme } from '../support/screens.ts'
import { kindOf, type Step } from './addresses.ts'
import type { Observed } from './observe.ts'
import { textProblems } from './text-checks.ts'

export const SIZES = { desktop: DESKTOP, phone: PHONE } as const
export type Size = keyof typeof SIZES

/** A long list is cut below this height. */
const PICTURE_PX_MAX = 4_000
const NOT_FOUND = /The page you are looking for does not exist|404 Not Found|This record is not here/
/** What an address gets that no page links to: it is closed to the role, or its link does not exist. */
const CLOSED = /^response 40[349]:/

export interface Picture {
  size: Size
  scheme: Scheme
  path: string
}

export interface Visit {
  role: string
  address: string
  /** Where the page led to, if it is another address. */
  leadsTo: string | undefined
  pictures: Picture[]
  problems: string[]
}

export interface Visitor {
  role: string
  base: string
  page: Page
  observed: Observed
  folder: string
  /** Runs all rules of axe in both schemes; otherwise in the dark one only those about contrast. */
  allRules: boolean
  /** Whether the address, to which another one led, is yet to be visited; it is then known. */
  claim: (address: string) => boolean
  isSignedIn: boolean
}

export interface Seen {
  visit: Visit
  /** Addresses of the product that the page links to. */
  links: string[]
}

/** Opens the address in both sizes, takes a picture in both color schemes and checks what is shown. */
export async function visit(visitor: Visitor, step: Step, number: number): Promise<Seen> {
  const { page, observed, base, role } = visitor
  const result: Visit = { role, address: step.address, leadsTo: undefined, pictures: [], problems: [] }
  let links: string[] = []
  for (const size of ['desktop', 'phone'] as const) {
    await page.setViewportSize(SIZES[size])
    await setSchemeBefore(page)
    await page.goto(`${base}${step.address}`)
    const loading = await observed.settle()
    const arrived = addressOf(page)
    const missing = NOT_FOUND.test(await page.locator('body').innerText())
    if (size === 'desktop') {
      if (arrived !== step.address) result.leadsTo = arrived
      if (missing && typeof step.origin === 'object') result.problems.push(`dead link on ${step.origin.link}`)
      links = missing ? [] : await linksOf(page, base)
    }
    if (visitor.isSignedIn && arrived.startsWith('/login')) throw new Error(`${role} is signed out at ${step.address}`)
    const isExpected = (error: string) => step.origin === 'table' && CLOSED.test(error)
    result.problems.push(...[...loading, ...observed.takeErrors().filter((error) => !isExpected(error))].map((text) => `${size}: ${text}`))
    if (size === 'desktop' && result.leadsTo !== undefined && !visitor.claim(result.leadsTo)) return { visit: result, links }
    result.problems.push(...(await screenProblems(page)).map((text) => `${size}: ${text}`))
    await photograph(visitor, result, size, number)
  }
  return { visit: result, links }
}

const setSchemeBefore = (page: Page) => page.emulateMedia({ colorScheme: SCHEMES[0], reducedMotion: 'reduce' })

function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return `${pathname}${search}`
}

/** Files and calls have addresses below /api or are downloads. */
const linksOf = (page: Page, base: string): Promise<string[]> =>
  page.locator('a[href]:not([download])').evaluateAll(
    (anchors, origin) =>
      anchors.flatMap((anchor) => {
        const { href } = anchor as HTMLAnchorElement // the selector matches only these
        const { origin: own, pathname, search } = new URL(href)
        return own === origin && !pathname.startsWith('/api/') ? [`${pathname}${search}`] : []
      }),
    new URL(base).origin,
  )

async function screenProblems(page: Page): Promise<string[]> {
  const { text, content, shown } = await page.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')].filter((element) =>
      element.checkVisibility(),
    )
    const names = named.flatMap((element) => ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''))
    const fields = [...document.querySelectorAll('input:not([type="hidden"], [type="radio"], [type="checkbox"]), textarea')].filter(
      (field) => field.checkVisibility(),
    )
    const values = fields.map((field) => ('value' in field ? String(field.value) : ''))
    return {
      text: [document.title, document.body.innerText, ...names, ...values].join('\n'),
      content: document.documentElement.scrollWidth,
      shown: window.innerWidth,
    }
  })
  return [...(content > shown ? [`the page is ${content - shown} px too wide`] : []), ...new Set(textProblems(text))]
}

async function photograph({ page, observed, folder, allRules, role }: Visitor, result: Visit, size: Size, number: number): Promise<void> {
  for (const scheme of SCHEMES) {
    await setScheme(page, scheme)
    await observed.settle()
    const path = join(folder, role, `${String(number).padStart(3, '0')}-${slug(result.address)}-${size}-${scheme}.png`)
    mkdirSync(dirname(path), { recursive: true })
    const height = await pictureHeight(page, size)
    await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: SIZES[size].width, height } })
    result.pictures.push({ size, scheme, path })
    const findings = await axeFindings(page, allRules || scheme === SCHEMES[0] ? undefined : ['color-contrast'])
    result.problems.push(...findings.map((finding) => `${size}, ${scheme}: axe ${finding.replace(/\s+/g, ' ').slice(0, 400)}`))
  }
}

/** The height of the page, or of the window if a panel covers it: a panel is not longer than the window. */
async function pictureHeight(page: Page, size: Size): Promise<number> {
  const { height } = SIZES[size]
  if ((await page.getByRole('dialog').count()) > 0) return height
  const content = await page.evaluate(() => document.documentElement.scrollHeight)
  return Math.min(Math.max(content, height), PICTURE_PX_MAX)
}

const slug = (address: string) =>
  kindOf(address)
    .replaceAll('$', 'id')
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-+|-+$/g, '') || 'home'
