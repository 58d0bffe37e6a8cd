import { expect, type Page } from '@playwright/test'
import { propertyCalls } from '#contract/account-properties.ts'
import { makeAccount, makeProperty } from '../support/arrange.ts'
import { signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'

/** Between San Jose and Sacramento, so that the map shows counties and large cities. */
const PLACES = [
  [37.3, -121.9],
  [38.6, -121.5],
  [37.8, -122.4],
] as const

/** The time in which the software renderer has drawn every layer. */
const SETTLED_MS = 4_000
/** Measured: 23 KB with states only, 60 KB with counties, 86 KB with cities. */
const MORE = 1.2

/** The picture of the map is compressed without loss: more lines and names make it larger. */
async function pictureBytes(page: Page): Promise<number> {
  return (await page.locator('canvas.maplibregl-canvas').screenshot()).length
}

test('the map shows counties and cities without another server', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Delta Maps')
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Ines' })
  const client = await signedIn(world.address, broker)
  const accountId = await makeAccount(client, 'Delta Map')
  for (const [index, [latitude, longitude]] of PLACES.entries()) {
    const id = await makeProperty(client, accountId, index + 1)
    await client(propertyCalls.update, { params: { id }, body: { version: 1, latitude, longitude } })
  }
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const map = page.getByRole('region', { name: 'Map of the properties' })
  const settledBytes = async (): Promise<number> => {
    await expect(map).toBeVisible()
    await page.waitForTimeout(SETTLED_MS)
    return pictureBytes(page)
  }
  const [details, cities] = [/(?:counties|countries)-\d+m/, /cities/]
  await page.route(details, (route) => route.abort())
  await signInAt(page, broker.email, `/accounts/${accountId}`)
  const states = await settledBytes()

  await page.unroute(details)
  await page.route(cities, (route) => route.fulfill({ json: [] }))
  await page.reload()
  const counties = await settledBytes()
  expect(counties, 'bytes with the lines of counties').toBeGreaterThan(states * MORE)

  await page.unroute(cities)
  await page.reload()
  expect(await settledBytes(), 'bytes with the names of cities').toBeGreaterThan(counties * MORE)
  for (const lines of [/counties-\d+m/, /countries-\d+m/]) expect(requested.filter((url) => lines.test(url)).length).toBeGreaterThan(0)
  expect(requested.filter((url) => !url.startsWith(world.address) && !/^(?:blob|data):/.test(url))).toEqual([])
})
