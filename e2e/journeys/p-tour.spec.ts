import { expect, type Page } from '@playwright/test'
import { accountCalls } from '#contract/accounts.ts'
import { checkScreen, signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'

/** The page gets the session of a guest. */
async function asGuest(page: Page): Promise<void> {
  await page.route('**/api/v1/init', async (route) => {
    const response = await route.fetch()
    if (!response.ok()) return route.fulfill({ response })
    const body = (await response.json()) as { data: { auth_user: object } }
    Object.assign(body.data.auth_user, { via_invite: true })
    return route.fulfill({ response, json: body })
  })
}

test('a guest takes the tour with the keyboard, once', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Tour Brokers')
  const guest = await makePerson(world.admin, { role: 'carrier', companyId, firstName: 'Greta' })
  const broker = await signedIn(world.address, await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Ben' }))
  const { data } = await broker(accountCalls.create, { body: { name: 'Harbor Stores', type: 'standard', users: [guest.id] } })
  await asGuest(page)
  await signInAt(page, guest.email, `/accounts/${data.id}`)
  const tour = page.getByRole('dialog')
  await expect(tour.getByText('Welcome to Harbor Stores')).toBeVisible()
  const [, total] = /^1 of (\d) slides$/.exec((await tour.getByText(/slides$/).textContent()) ?? '') ?? []
  expect((await tour.boundingBox())?.width).toBe(640)
  await checkScreen(page, 'tour-welcome', { phone: true })
  await page.keyboard.press('Enter')
  await expect(tour.getByText('Take everything with you')).toBeVisible()
  await checkScreen(page, 'tour-downloads', { phone: true })
  for (let slide = 3; slide <= Number(total); slide += 1) {
    await page.keyboard.press('ArrowRight')
    await expect(tour.getByText(`${slide} of ${total} slides`)).toBeVisible()
    if (slide === 4) await checkScreen(page, 'tour-properties', { phone: true })
  }
  await tour.getByRole('button', { name: 'Finish' }).click()
  await expect(tour).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: 'View Tour' }).click()
  await expect(tour.getByText('Welcome to Harbor Stores')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tour).toHaveCount(0)
})
