import { expect } from '@playwright/test'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { makeAccount, makeProperty } from '../support/arrange.ts'
import { signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'

test('changes of another user appear without a reload', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Twin Desk Brokers')
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Ada' })
  const second = await signedIn(world.address, await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Bo' }))
  const accountId = await makeAccount(second, 'Watched by two', 1)
  const sent: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  await signInAt(page, broker.email, `/accounts/${accountId}?tab=properties`)
  await expect(page.getByText('1 to 1 of 1')).toBeVisible()
  await expect
    .poll(() => sent.filter((frame) => frame.includes('"subscribe"') && /account(\.|_properties)/.test(frame)).length)
    .toBeGreaterThan(1)

  const id = await makeProperty(second, accountId, 2)
  await expect(page.getByText('1 to 2 of 2')).toBeVisible()
  await expect(page.getByText('Active 2', { exact: true })).toBeVisible()

  const { version } = (await second(propertyCalls.show, { params: { id } })).data
  await second(propertyCalls.update, { params: { id }, body: { version, building_value: 4_321_000 } })
  await expect(page.getByRole('button', { name: 'Building value: 4,321,000. Edit' })).toBeVisible()

  await second(accountCalls.update, { params: { id: accountId }, body: { name: 'Renamed by the other' } })
  await expect(page.getByRole('heading', { name: 'Renamed by the other', level: 1 })).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(
    page
      .getByRole('region', { name: 'Recent activity' })
      .getByText(/Bo Rivers/)
      .first(),
  ).toBeVisible()
})
