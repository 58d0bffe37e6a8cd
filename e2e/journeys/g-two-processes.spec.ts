import { execFileSync } from 'node:child_process'
import { expect } from '@playwright/test'
import { startCluster, type Cluster } from '../support/cluster.ts'
import { makeAccount } from '../support/arrange.ts'
import { showAdded, signInAt, test } from '../support/journey.ts'
import { E2E_ADMIN, makeCompany, makePerson, signedIn, type Person } from '../support/people.ts'
import { statementOfValues } from '../support/sheets.ts'

const ROWS = 25
const START_MS = 180_000
/** The S3 store of the test run, otherwise a folder that both processes share. */
const STORE = process.env['PLUMBLINE_TEST_S3_URL'] ?? ''

let cluster: Cluster
let broker: Person
let colleague: Person
let accountPath: string

test.describe('two API processes and a worker behind one address', () => {
  test.beforeAll(async () => {
    test.setTimeout(START_MS)
    cluster = await startCluster(STORE)
    const admin = await signedIn(cluster.a.address, E2E_ADMIN)
    const { id: companyId } = await makeCompany(admin, 'Two Rivers Brokers')
    broker = await makePerson(admin, { role: 'broker', companyId, firstName: 'Noa' })
    colleague = await makePerson(admin, { role: 'broker', companyId, firstName: 'Ida' })
    accountPath = `/accounts/${await makeAccount(await signedIn(cluster.b.address, broker), 'Two Rivers 2026', 0)}`
  })
  test.afterAll(() => cluster?.stop())

  test('store an import and documents, show them to another user at once, and build the archive', async ({ browser }) => {
    const desk = { baseURL: cluster.address, acceptDownloads: true }
    const [page, other] = [await browser.newPage(desk), await browser.newPage(desk)]
    await signInAt(other, colleague.email, `${accountPath}?tab=files`)
    await expect(other.getByText('No disclosed documents yet.')).toBeVisible()

    await signInAt(page, broker.email, `${accountPath}/import`)
    const schedule = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose file' }).click()
    await (await schedule).setFiles({ name: 'schedule.csv', mimeType: 'text/csv', buffer: statementOfValues(ROWS) })
    await page.getByRole('button', { name: `Add ${ROWS}` }).click({ timeout: 30_000 })
    await expect(page.getByText(/^Imported on /)).toBeVisible()

    await page.goto(`${accountPath}/upload?tab=files`)
    const documents = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    await (
      await documents
    ).setFiles([
      { name: 'Lease.txt', mimeType: 'text/plain', buffer: Buffer.from('The lease ends in 2031.\n') },
      { name: 'Survey.txt', mimeType: 'text/plain', buffer: Buffer.from('Surveyed.\n') },
    ])
    await expect(page.getByRole('region', { name: 'Uploads' }).getByText('2 files uploaded')).toBeVisible()
    // The one that is stored last may come before the other.
    await showAdded(other, other.getByRole('link', { name: /Lease/ }))
    await expect(other.getByRole('tab', { name: `Properties ${ROWS}` })).toBeVisible()

    await other.getByRole('link', { name: /Lease/ }).click()
    await expect(other.getByRole('region', { name: 'Lease.txt' }).getByText('The lease ends in 2031.')).toBeVisible()
    await other.goto(accountPath)
    await other.getByRole('button', { name: 'Download Everything' }).click()
    const download = other.waitForEvent('download')
    await other.getByRole('menuitem', { name: /Generate Organized Zip/ }).click()
    const names = execFileSync('python3', ['-m', 'zipfile', '-l', await (await download).path()], { encoding: 'utf8' })
    for (const name of ['Lease.txt', 'Survey.txt', 'Document Index.xlsx']) expect(names).toContain(name)

    for (const count of cluster.connections) expect(count).toBeGreaterThan(0)
  })
})
