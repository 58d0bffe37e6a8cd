import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type Browser, type Download, type Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { accountCalls } from '#contract/accounts.ts'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import { sharingCalls } from '#contract/sharing.ts'
import type { Client } from '../support/client.ts'
import { checkScreen, signInAt, test, type World } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn, type Person } from '../support/people.ts'
import { slowProxy } from '../support/slow-proxy.ts'
import { addDocument } from '../support/uploads.ts'

const BUILDINGS = [
  {
    property_name: 'Pier Hall',
    city: 'Seattle',
    state: 'WA',
    property_type: 'office',
    building_value: 1_000_000,
    latitude: 47.61,
    longitude: -122.33,
  },
  {
    property_name: 'Quay House',
    city: 'Portland',
    state: 'OR',
    property_type: 'retail',
    building_value: 2_000_000,
    latitude: 45.52,
    longitude: -122.67,
  },
  {
    property_name: 'Dock Mill',
    city: 'Boise',
    state: 'ID',
    property_type: 'industrial',
    building_value: 4_000_000,
    latitude: 43.62,
    longitude: -116.2,
  },
] as const
/** What the visitors of the link must not read anywhere. */
const HIDDEN = /Dock Mill|Boise|photo|narrative/i

let scene: { broker: Person; client: Client; id: string; properties: string[] }

test.beforeEach(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, `Harbor Brokers ${Date.now()}`)
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Bea' })
  const client = await signedIn(world.address, broker)
  const { data: account } = await client(accountCalls.create, { body: { name: 'Pier Nine', type: 'standard' } })
  scene = { broker, client, id: account.id, properties: [] }
  for (const [index, { latitude, longitude, ...building }] of BUILDINGS.entries()) {
    const place = { location_number: String(index + 1), address: `${index + 1} Harbor St`, postal_code: '98101', country: 'US' }
    const { data } = await client(propertyCalls.create, {
      body: { account_id: account.id, ...place, ...building, latitude, longitude },
    })
    scene.properties.push(data.id)
    for (const category of ['appraisal', 'photo'] as const)
      await addTo(world, `${building.property_name} ${category}.txt`, category, [data.id])
  }
  await addTo(world, 'narrative.txt', 'policy', [])
})

async function addTo({ address }: World, name: string, category: DocumentCategoryCode, properties: string[]) {
  const text = `The clause of ${name}.\n`
  const file_id = await addDocument(scene.client, address, { accountId: scene.id, name, bytes: Buffer.from(text) })
  await scene.client(fileCalls.patch, { params: { id: scene.id, file_id }, body: { category, properties } })
}

/** A page of a visitor, in a browser of their own. */
async function visit(browser: Browser | null, address: string): Promise<Page> {
  const page = await (await browser?.newContext())?.newPage()
  if (page === undefined) throw new Error('The browser is closed')
  await page.goto(address)
  await page.getByRole('button', { name: 'Skip Tour' }).first().click()
  return page
}

const rowsOf = (page: Page) => page.getByRole('region', { name: /^Table of / }).locator('tbody tr')

/** Clicks what has a number in its name and compares it with the rows that open. */
async function countsItsRows(page: Page, link: ReturnType<Page['getByRole']>, count: number) {
  await link.click()
  await expect(rowsOf(page)).toHaveCount(count)
  await expect(page.getByText(HIDDEN)).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Property Locations' })).toBeVisible()
}

/** The texts of all parts of a ZIP file, which Word and Excel files are, too; and of such files in it. */
function textsOf(bytes: Uint8Array): string {
  const parts = Object.entries(unzipSync(bytes))
  return parts.map(([name, part]) => `${name} ${/\.(?:docx|xlsx)$/.test(name) ? textsOf(part) : strFromU8(part)}`).join('\n')
}

async function downloaded(page: Page, begin: () => Promise<void>): Promise<Buffer> {
  const started = page.waitForEvent('download')
  await begin()
  return readFileSync(await (await started).path())
}

test('a broker makes a link to two properties and a category, and its visitor sees and downloads these alone', async ({
  page,
  context,
  world,
}) => {
  await signInAt(page, scene.broker.email, `/accounts/${scene.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Share', exact: true })
  await form.getByRole('button', { name: 'Create a named link' }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('Carrier')
  await form.getByRole('radio', { name: 'Chosen properties' }).check()
  await form.getByRole('radio', { name: 'Documents of chosen categories' }).check()
  await form.getByRole('button', { name: 'Create link' }).click()
  await expect(form.getByText('Please choose at least one property.')).toBeVisible()
  await expect(form.getByText('Please choose at least one category.')).toBeVisible()
  const search = form.getByRole('combobox', { name: 'Properties' })
  await search.click()
  await page.getByRole('option', { name: /Pier Hall/ }).click()
  await search.fill('Quay')
  await page.getByRole('option', { name: /Quay House/ }).click()
  await search.press('Tab')
  await form.getByRole('checkbox', { name: 'Appraisal / valuation' }).check()
  await search.scrollIntoViewIfNeeded()
  await checkScreen(page, 'link-scope-form', { phone: true })
  await form.getByText(/^Not included:/).scrollIntoViewIfNeeded()
  await checkScreen(page, 'link-scope-form-end', { phone: true })
  await form.getByRole('button', { name: 'Create link' }).click()
  await expect(form.getByText(/2 properties, 1 category/)).toBeVisible()
  await checkScreen(page, 'link-scope-list', { phone: true })
  await page.goto('/access')
  await expect(page.getByText('2 properties, 1 category')).toBeVisible()
  await checkScreen(page, 'link-scope-access', { phone: true })

  const { data: links } = await scene.client(sharingCalls.links, { params: { id: scene.id } })
  const visitor = await visit(context.browser(), new URL(new URL(links[0]?.link ?? '').pathname, world.address).href)
  await seesTheChosen(visitor)
  await downloadsTheChosen(visitor)
  await visitor.context().close()
})

async function seesTheChosen(visitor: Page) {
  await expect(visitor.locator('dl').getByText('$3,000,000', { exact: true }).first()).toBeVisible()
  await checkScreen(visitor, 'link-scope-visitor', { phone: true })
  await expect(visitor.getByText(HIDDEN)).toHaveCount(0)
  await expect(visitor.getByRole('tab', { name: 'Properties 2' })).toBeVisible()
  await expect(visitor.getByRole('tab', { name: 'Documents 2' })).toBeVisible()
  await countsItsRows(visitor, visitor.getByRole('link', { name: 'Total insured value' }), 2)
  await countsItsRows(visitor, visitor.getByRole('link', { name: 'Properties', exact: true }), 2)
  await countsItsRows(visitor, visitor.getByRole('link', { name: 'All 2 properties' }), 2)
  await countsItsRows(visitor, visitor.getByRole('link', { name: '2 disclosed documents' }), 2)
  for (const [card, parts] of [
    ['Property Locations', 2],
    ['Property Types', 2],
  ] as const) {
    const rows = visitor.getByRole('region', { name: card }).locator('tbody tr')
    await expect(rows).toHaveCount(parts)
    for (let at = 0; at < parts; at += 1) {
      await expect(rows.nth(at).getByRole('cell').first()).toHaveText('1')
      await countsItsRows(visitor, rows.nth(at).getByRole('link'), 1)
    }
  }
  const [map] = await Promise.all([visitor.waitForResponse(/account_properties\/[^/]+\/map/), visitor.reload()])
  expect((await map.json()).data.markers).toHaveLength(2)
  await visitor.getByRole('link', { name: 'Largest property' }).click()
  await expect(visitor.getByRole('dialog', { name: /Quay House/ })).toBeVisible()
  await visitor.keyboard.press('Escape')

  await visitor.getByRole('tab', { name: /Properties/ }).click()
  const search = visitor
    .getByRole('searchbox')
    .or(visitor.getByRole('textbox', { name: /Search/ }))
    .first()
  await search.fill('Dock')
  await expect(visitor.getByText(/Oops! We couldn't find anything/)).toBeVisible()
  await search.fill('Quay')
  await expect(rowsOf(visitor)).toHaveCount(1)
  await visitor.getByRole('tab', { name: /Documents/ }).click()
  // In the texts of documents, once these are read.
  await expect(async () => {
    await search.fill('')
    await search.fill('clause of')
    await expect(rowsOf(visitor)).toHaveCount(2, { timeout: 3_000 })
  }).toPass({ timeout: 60_000 })
  await search.fill('clause of Dock')
  await expect(visitor.getByText(/Oops! We couldn't find anything/)).toBeVisible()
  await search.fill('')
}

async function downloadsTheChosen(visitor: Page) {
  const archive = await downloaded(visitor, () => visitor.getByRole('button', { name: 'Download Everything' }).click())
  const folder = (building: string) => `Properties/${building}/04 Appraisal - valuation`
  expect(Object.keys(unzipSync(archive)).toSorted()).toEqual([
    'Document Index.xlsx',
    'Manifest.json',
    `${folder('001 - Pier Hall, Seattle WA')}/Pier Hall appraisal.txt`,
    `${folder('002 - Quay House, Portland OR')}/Quay House appraisal.txt`,
  ])
  expect(textsOf(archive)).not.toMatch(HIDDEN)
  await visitor.getByRole('button', { name: 'All downloads' }).click()
  for (const [name, contained] of [
    [/^Disclosed Document List/, 'Quay House appraisal.txt'],
    [/^Property List/, 'Quay House'],
    [/^Properties with Documents/, 'Quay House'],
  ] as const) {
    const texts = textsOf(await downloaded(visitor, () => visitor.getByRole('menuitem', { name }).click()))
    expect(texts).toContain(contained)
    expect(texts).not.toMatch(HIDDEN)
  }
}

/** More than the system buffers of a connection, which hold up to 36 MiB, in letters. */
const LARGE_BYTES = 60 * 1024 ** 2

test.describe('a download that is running', () => {
  let link: { id: string; link: string }
  test.beforeEach(async ({ world }) => {
    const bytes = Buffer.from(randomBytes(LARGE_BYTES).toString('base64'))
    const file_id = await addDocument(scene.client, world.address, {
      accountId: scene.id,
      name: 'plans.txt',
      bytes,
    })
    await scene.client(fileCalls.patch, { params: { id: scene.id, file_id }, body: { properties: scene.properties.slice(0, 1) } })
    const body = { label: 'Carrier', property_ids: scene.properties.slice(0, 2) }
    link = (await scene.client(sharingCalls.createLink, { params: { id: scene.id }, body })).data
  })

  const params = () => ({ id: scene.id, link_id: link.id })
  for (const [what, change] of [
    ['narrowed', () => scene.client(sharingCalls.updateLink, { params: params(), body: { property_ids: scene.properties.slice(1, 2) } })],
    ['revoked', () => scene.client(sharingCalls.removeLink, { params: params() })],
  ] as const)
    test(`is cut when its link is ${what}, and the page says that the visit has ended`, async ({ context, world }) => {
      const proxy = await slowProxy(world.address)
      const visitor = await visit(context.browser(), new URL(new URL(link.link).pathname, proxy.address).href)
      const started: Promise<Download> = visitor.waitForEvent('download')
      await visitor.getByRole('button', { name: 'Download Everything' }).click()
      const download = await started
      await change()
      expect(await download.failure()).not.toBeNull()
      await visitor.getByRole('tab', { name: /Documents/ }).click()
      await expect(visitor.getByText('This visit has ended.')).toBeVisible()
      await visitor.reload()
      await expect(visitor.getByText('This visit has ended.')).toBeVisible()
      await visitor.context().close()
      await proxy.close()
    })
})
