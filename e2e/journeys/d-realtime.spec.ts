import { expect } from '@playwright/test'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import { userCalls } from '#contract/users.ts'
import { makeAccount, makeProperty } from '../support/arrange.ts'
import { showAdded, signInAt, test } from '../support/journey.ts'
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
  await showAdded(page, page.getByText('1 to 2 of 2'))
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

test('a change between the first fetch of a page and its subscription appears without another change', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Slow Line Brokers')
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Sol' })
  const colleague = await signedIn(world.address, await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Liv' }))
  const accountId = await makeAccount(colleague, 'Changed early', 1)
  const changed = Promise.withResolvers<void>()
  await page.route('**/broadcasting/auth', async (route) => {
    await changed.promise
    await route.continue()
  })
  await signInAt(page, broker.email, `/accounts/${accountId}?tab=properties`)
  await expect(page.getByText('1 to 1 of 1')).toBeVisible()
  await makeProperty(colleague, accountId, 2)
  changed.resolve()
  await showAdded(page, page.getByText('1 to 2 of 2'))
})

test('a page that is open when its user loses the access shows no data of the account any longer', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Open Door Brokers')
  const { id: carrierId } = await makeCompany(world.admin, 'Open Door Mutual')
  const owner = await signedIn(world.address, await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Ona' }))
  const carrier = await makePerson(world.admin, { role: 'carrier', companyId: carrierId, firstName: 'Cy' })
  const accountId = await makeAccount(owner, 'Shared for a while', 2)
  await owner(accountCalls.update, { params: { id: accountId }, body: { carrier_company_id: carrierId } })
  const subscribed = page
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framesent', ({ payload }) => String(payload).includes(`"subscribe"`) && String(payload).includes(accountId)),
    )
  await signInAt(page, carrier.email, `/accounts/${accountId}?tab=properties`)
  await expect(page.getByText('1 to 2 of 2')).toBeVisible()
  await subscribed

  await owner(accountCalls.update, { params: { id: accountId }, body: { carrier_company_id: null } })
  await expect(page.getByText('1 to 2 of 2')).toBeHidden()
  await expect(page.getByText('Foundry St')).toHaveCount(0)
  await expect(page.getByText('Shared for a while')).toHaveCount(0)
})

test('a page that is open when its user loses a role shows no data that the role allowed any longer', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Former Desk Brokers')
  const leaver = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Lee' })
  const uploader = await makePerson(world.admin, { role: 'upload_only', companyId, firstName: 'Uma' })
  const accountId = await makeAccount(await signedIn(world.address, leaver), 'Run until today', 2)
  const subscribed = page
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framesent', ({ payload }) => String(payload).includes('"subscribe"') && String(payload).includes('properties')),
    )
  await signInAt(page, leaver.email, `/accounts/${accountId}?tab=properties`)
  await expect(page.getByText('1 to 2 of 2')).toBeVisible()
  await subscribed

  const rolesOf = async (id: string) => (await world.admin(userCalls.show, { params: { id } })).data.roles.map((role) => role.id)
  const { version } = (await world.admin(userCalls.show, { params: { id: leaver.id } })).data
  await world.admin(userCalls.update, { params: { id: leaver.id }, body: { version, roles: await rolesOf(uploader.id) } })
  await expect(page.getByText('1 to 2 of 2')).toBeHidden()
  await expect(page.getByText('Foundry St')).toHaveCount(0)
})

test('an open overview says that its verdict is out of date as soon as another user changes the checks', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Rule Changers')
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Cy' })
  const second = await signedIn(world.address, await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Di' }))
  const accountId = await makeAccount(second, 'Checked while rules change', 1)
  await signInAt(page, broker.email, `/accounts/${accountId}?tab=overview`)
  const panel = page
    .getByRole('region', { name: 'Reconciliation' })
    .or(page.getByRole('group', { name: 'Reconciliation' }))
    .first()
  const checkedOn = panel.getByText(/^Checked on /)
  await expect(checkedOn).toBeVisible({ timeout: 30_000 })
  await second(companyCalls.update, { params: { id: companyId }, body: { check_settings: { checks: { 'DQ-03': { enabled: false } } } } })
  await expect(checkedOn).toBeHidden({ timeout: 3_000 })
  await expect(checkedOn).toBeVisible({ timeout: 30_000 })
  await expect(panel.getByText('1 check turned off: No construction class')).toBeVisible()
})
