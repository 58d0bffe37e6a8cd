import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { outlookMessage } from '#server/engines/document-text/outlook-message.fixture.ts'
import { renderPdf } from '#server/features/setup/demo/pdf.ts'
import { signInAt, checkScreen, test } from '../support/journey.ts'
import { messyStatement } from '../support/messy-statement.ts'
import { makeCompany, makePerson } from '../support/people.ts'

const statement = messyStatement()
const ACCOUNT = 'Lone Star Holdings 2025'
const PHOTO = join(import.meta.dirname, '../../src/server/features/setup/demo/photos/Photo front elevation.png')
const RENTS = Buffer.from('The rent is 400,000.')
const DOCUMENTS = [
  {
    name: 'Roof survey 2024.pdf',
    mimeType: 'application/pdf',
    content: () => renderPdf('Roof survey of the main office', [], new Date(2024, 5, 1)),
  },
  { name: 'Front elevation.png', mimeType: 'image/png', content: () => readFileSync(PHOTO) },
  {
    name: 'Lease notes.msg',
    mimeType: 'application/vnd.ms-outlook',
    content: () =>
      outlookMessage({ subject: 'Lease notes', text: 'The lease ends in 2031.', attached: [{ name: 'Rents.txt', bytes: RENTS }] }),
  },
]

test('a broker completes a submission from a new account to the downloaded archive', async ({ page, world }) => {
  test.setTimeout(480_000)
  const { id: companyId } = await makeCompany(world.admin, 'Bluebonnet Brokerage')
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Wren' })
  await signInAt(page, broker.email)
  await checkScreen(page, 'dashboard-empty', { phone: true })

  const account = await test.step('starts an account', () => startAccount(page))
  await test.step('imports the statement of values after correcting invalid cells', () => importStatement(page))
  await test.step('uploads documents, links one to a property and previews a PDF, an image and an email', () => addDocuments(page))
  await test.step('opens from each statistic of the overview the rows that it counts', () => openStatistics(page))
  await test.step('downloads the organized archive, which another program can open', () => fetchArchive(page, account))
})

/** Returns the path of the new account. */
async function startAccount(page: Page): Promise<string> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' }).click()
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Start an Account' }).click()
  const panel = page.getByRole('dialog', { name: 'Start an Account' })
  await panel.getByText('Standard', { exact: true }).click()
  await panel.getByRole('button', { name: 'Start account' }).click()
  await expect(panel.getByText('Please enter an account name.')).toBeVisible()
  await checkScreen(page, 'account-form')
  await panel.getByRole('textbox', { name: 'Account name' }).fill(ACCOUNT)
  await panel.getByRole('button', { name: 'Start account' }).click()
  await expect(page.getByRole('heading', { name: ACCOUNT, level: 1 })).toBeVisible()
  await expect(page.getByText('No properties exist on this account.')).toBeVisible()
  await checkScreen(page, 'account-empty', { phone: true })
  return new URL(page.url()).pathname
}

async function importStatement(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Import multiple properties' }).click()
  await expect(page.getByRole('heading', { name: 'Choose a statement of values' })).toBeVisible()
  await checkScreen(page, 'import-start')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose file' }).click()
  await (await chooser).setFiles(statement)
  const commit = page.getByRole('button', { name: /^Add \d+/ })
  await expect(commit).toHaveText(statement.commit, { timeout: 30_000 })
  await expect(page.getByText('1 amount cannot be read')).toBeVisible()
  await expect(commit).toBeDisabled()
  await checkScreen(page, 'import-sheet', { phone: true })

  const side = page.getByRole('complementary', { name: 'Settings and issues' })
  for (const { issue, cell, value } of statement.mistakes) {
    await side
      .getByRole('button', { name: issue })
      .filter({ has: page.getByLabel('To check') })
      .click()
    await page.getByRole('textbox', { name: `Value of cell ${cell}` }).fill(value)
    await page.getByRole('button', { name: 'Change cell' }).click()
    await expect(side.getByRole('button', { name: issue }).filter({ has: page.getByLabel('To check') })).toHaveCount(0)
  }
  await expect(commit).toHaveText(statement.commit)
  await expect(commit).toBeEnabled()
  await page.getByRole('tab', { name: `Add ${statement.locations}` }).click()
  await expect(page.getByRole('columnheader', { name: 'Insured value' })).toBeVisible()
  await checkScreen(page, 'import-preview')

  await page.reload()
  await expect(commit).toHaveText(statement.commit)
  await commit.click()
  await expect(page.getByText(/^Imported on /)).toBeVisible()
  await checkScreen(page, 'import-done')
  await page.getByRole('link', { name: 'Open properties' }).click()
  await expect(page.getByText(`Active ${statement.locations}`, { exact: true })).toBeVisible()
  await expect(page.getByText(`1 to ${statement.locations} of ${statement.locations}`)).toBeVisible()
  await checkScreen(page, 'properties', { phone: true })
}

async function addDocuments(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Documents/ }).click()
  await page.getByRole('link', { name: 'Upload documents' }).first().click()
  const upload = page.getByRole('dialog', { name: 'Upload documents' })
  await expect(upload).toBeVisible()
  const chooser = page.waitForEvent('filechooser')
  await upload.getByRole('button', { name: 'Choose files' }).click()
  const files = DOCUMENTS.map(async ({ content, ...file }) => ({ ...file, buffer: await content() }))
  await (await chooser).setFiles(await Promise.all(files))
  await expect(page.getByRole('region', { name: 'Uploads' }).getByText('3 files uploaded')).toBeVisible()
  await checkScreen(page, 'upload', { phone: true })
  await upload.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Clear' }).click()
  const table = page.getByRole('table', { name: 'disclosed documents' })
  await expect(table.getByRole('link', { name: /Roof survey 2024/ })).toBeVisible()
  await checkScreen(page, 'documents', { phone: true })

  await page.getByRole('button', { name: /^Actions for Roof survey 2024/ }).click()
  await page.getByRole('menuitem', { name: 'Link to properties' }).click()
  const link = page.getByRole('dialog', { name: 'Link 1 document to properties' })
  await link.getByRole('combobox', { name: 'Properties' }).click()
  const first = page.getByRole('option', { name: /^1 · / })
  // The address is the second line of a property with a name, and follows the number otherwise.
  const [title = '', place = ''] = (await first.innerText()).split('\n')
  const streets = [title.split(' · ')[1] ?? '', place.split(',')[0] ?? '']
  await first.click()
  await link.getByRole('heading', { name: 'Link 1 document to properties' }).click()
  await checkScreen(page, 'link-dialog')
  await link.getByRole('button', { name: 'Link to properties' }).click()
  await expect(link).toBeHidden()
  await expect(table.getByRole('row', { name: /Roof survey 2024/ })).toContainText(
    new RegExp(streets.map((street) => street.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')),
  )

  await table.getByRole('link', { name: /Roof survey 2024/ }).click()
  const pdf = page.getByRole('region', { name: 'Roof survey 2024.pdf' })
  await expect
    .poll(() => pdf.getByRole('region', { name: 'Preview' }).evaluate(darkPixels), 'dark pixels of the rendered page')
    .toBeGreaterThan(100)
  // A toast at the bottom of the page would be in the picture.
  await expect(page.getByRole('alert')).toHaveCount(0)
  await checkScreen(page, 'document-pdf', { phone: true })
  await page.keyboard.press('Escape')
  await table.getByRole('link', { name: /Front elevation/ }).click()
  await expect(page.getByRole('region', { name: 'Front elevation.png' }).getByRole('img', { name: /Front elevation/ })).toBeVisible()
  await checkScreen(page, 'document-image')
  await page.keyboard.press('Escape')
  await table.getByRole('link', { name: /Lease notes/ }).click()
  const email = page.getByRole('region', { name: 'Lease notes.msg' })
  await expect(email.getByText('The lease ends in 2031.')).toBeVisible()
  await checkScreen(page, 'document-email')
  await email
    .getByRole('button', { name: /Rents\.txt/ })
    .first()
    .click()
  await expect(email.getByText('The rent is 400,000.')).toBeVisible()
  await page.keyboard.press('Escape')
}

async function openStatistics(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Overview' }).click()
  const panel = page.getByRole('group', { name: 'Reconciliation' })
  // The link of the document started another check, and its end may change the lines and their counts.
  await expect(panel.getByText(/^Checked on /)).toBeVisible({ timeout: 60_000 })
  const lines = panel.getByRole('listitem').filter({ has: page.getByRole('link') })
  await expect(lines.first()).toBeVisible()
  await checkScreen(page, 'overview', { phone: true })
  // Kinds, sentences about the schedule and checks: each count opens as many properties. Checks are only there if they are not sentences.
  const showChecks = async () => {
    await expect(panel.getByText(/^Checked on /)).toBeVisible()
    await expect(lines.first()).toBeVisible()
    const show = panel.getByRole('button', { name: /^Show by check/ })
    if ((await show.count()) > 0) await show.click()
  }
  await showChecks()
  const total = await lines.count()
  expect(total, 'linked counts').toBeGreaterThan(1)
  for (let index = 0; index < total; index += 1) {
    if (index > 0) {
      await page.getByRole('tab', { name: 'Overview' }).click()
      await showChecks()
    }
    const line = lines.nth(index)
    const number = line.locator('[data-count]')
    const text = await ((await number.count()) > 0 ? number : line).innerText()
    const count = /[\d,]+/.exec(text)?.[0]
    await line.getByRole('link').click()
    await expect(page.getByText(`1 to ${count} of ${count}`, { exact: true }), text).toBeVisible()
  }
  await checkScreen(page, 'properties-filtered')
}

async function fetchArchive(page: Page, accountPath: string): Promise<void> {
  await page.goto(accountPath)
  await page.getByRole('button', { name: 'Download Everything' }).click()
  await checkScreen(page, 'downloads-menu')
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /Generate Organized Zip/ }).click()
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-e2e-archive-'))
  try {
    const path = join(folder, 'archive.zip')
    const done = await download
    expect(done.suggestedFilename()).toMatch(/^Lone Star Holdings 2025 - Organized Documents - \d{4}-\d{2}-\d{2}\.zip$/)
    await done.saveAs(path)
    const names = execFileSync('python3', ['-c', UNZIP, path, folder], { encoding: 'utf8' })
    for (const { name } of DOCUMENTS) expect(names).toContain(name)
    expect(names).toContain('Document Index.xlsx')
    expect(names).toContain('Manifest.json')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Verifies the checksums of the archive, extracts it and prints the names. */
const UNZIP = `import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
archive.extractall(sys.argv[2])
print('\\n'.join(archive.namelist()))`

/** The number of dark pixels of a rendered page; a page that failed to render is white. */
function darkPixels(preview: Element): number {
  const canvas = preview.querySelector('canvas')
  const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray()
  let dark = 0
  for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 80) dark += 1
  return dark
}
