import { expect, type Page } from '@playwright/test'
import { propertyCalls } from '#contract/account-properties.ts'
import { makeAccount } from '../support/arrange.ts'
import type { Client } from '../support/client.ts'
import { DIFFICULT_SCHEDULES, type DifficultSchedule } from '../support/difficult-schedules.ts'
import { signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'

test('schedules in layouts that are easily misread reach the register with the right values', async ({ page, world }) => {
  test.setTimeout(480_000)
  const { id: companyId } = await makeCompany(world.admin, 'Difficult Schedules')
  const person = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Dee' })
  const broker = await signedIn(world.address, person)
  await signInAt(page, person.email)
  for (const schedule of DIFFICULT_SCHEDULES) {
    await test.step(schedule.title, async () => {
      const accountId = await makeAccount(broker, schedule.title)
      await importInBrowser(page, accountId, schedule)
      expect.soft(await registerOf(broker, accountId, schedule), schedule.title).toEqual(schedule.register)
    })
  }
})

async function importInBrowser(page: Page, accountId: string, { fileName, content, answers, shows, register }: DifficultSchedule) {
  await page.goto(`/accounts/${accountId}/import`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose file' }).click()
  await (await chooser).setFiles({ name: fileName, mimeType: 'application/octet-stream', buffer: content })
  const commit = page.getByRole('button', { name: new RegExp(`^Add ${Object.keys(register).length}\\b`) })
  await expect(commit).toBeVisible()
  if (shows) await expect(page.getByText(shows)).toBeVisible()
  for (const { question, answer } of answers) {
    await expect(commit, `the import waits for an answer to ${question.source}`).toBeDisabled()
    const section = page.getByRole('region', { name: /^Question \d+$/ }).filter({ hasText: question })
    await section.getByRole('button', { name: answer, exact: true }).click()
    await expect(section).toHaveCount(0)
  }
  await expect(page.getByRole('region', { name: /^Question \d+$/ })).toHaveCount(0)
  await commit.click()
  await expect(page.getByText(/^Imported on /)).toBeVisible()
}

/** The properties of the account by location and building, each with the fields that the schedule expects. */
async function registerOf(client: Client, accountId: string, { register }: DifficultSchedule): Promise<DifficultSchedule['register']> {
  const { data: rows } = await client(propertyCalls.index, { query: { filter__account_id: accountId } })
  const records = await Promise.all(rows.map(async ({ id }) => (await client(propertyCalls.show, { params: { id } })).data))
  return Object.fromEntries(
    records.map(({ values }) => {
      const building = `${values['location_number']}/${values['building_number']}`
      const name = building in register ? building : String(values['location_number'])
      return [name, Object.fromEntries(Object.keys(register[name] ?? {}).map((field) => [field, values[field]]))]
    }),
  )
}
