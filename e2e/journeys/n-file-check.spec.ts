import { readFileSync, writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { fileCalls } from '#contract/account-files.ts'
import { makeAccount } from '../support/arrange.ts'
import { checkScreen, signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'
import { addDocument, fetchFile } from '../support/uploads.ts'

const ROOF = Buffer.from('The roof was replaced in 2021.\n')

test('anyone learns whether an archive and its documents are unchanged and current', async ({ page, browser, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Provable Brokers')
  const person = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Petra' })
  const broker = await signedIn(world.address, person)
  const accountId = await makeAccount(broker, 'Proven Holdings', 1)
  const add = (name: string, bytes: Buffer) => addDocument(broker, world.address, { accountId, name, bytes })
  const roof = await add('Roof survey 2024.txt', ROOF)
  await add('Lease notes.txt', Buffer.from('The lease ends in 2031.\n'))

  await signInAt(page, person.email, `/accounts/${accountId}`)
  await page.getByRole('button', { name: 'Download Everything' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /Generate Organized Zip/ }).click()
  const archive = readFileSync(await (await download).path())

  const visitor = await (await browser.newContext()).newPage()
  const sent: string[] = []
  visitor.on('request', (request) => void (request.method() === 'POST' && sent.push(request.postData() ?? '')))
  await visitor.goto('/check')
  await expect(visitor.getByRole('heading', { name: 'Check a file', level: 1 })).toBeVisible()
  await checkScreen(visitor, 'check', { phone: true })

  await drop(visitor, 'archive.zip', archive)
  const unchanged = visitor.getByRole('listitem', { name: 'archive.zip' })
  await expect(unchanged.getByText('Unchanged and current')).toBeVisible()
  await expect(unchanged.getByText(/All 4 files in it are unchanged\./)).toBeVisible()

  await test.step('one changed byte of a document makes the archive unknown, and names the document', async () => {
    const changed = Buffer.from(archive)
    const at = changed.indexOf(ROOF)
    changed[at] = (changed[at] ?? 0) ^ 1
    await drop(visitor, 'changed.zip', changed)
    const result = visitor.getByRole('listitem', { name: 'changed.zip' })
    await expect(result.getByText('Unknown', { exact: true })).toBeVisible()
    await result.getByText('1 changed, added or private').click()
    await expect(result.getByText(/Roof survey 2024\.txt$/)).toBeVisible()
    await expect(result.getByText(/Lease notes/)).toHaveCount(0)
  })

  await test.step('one changed byte outside of the documents makes the archive unknown', async () => {
    const changed = Buffer.from(archive)
    changed[changed.length - 1] = 1
    await drop(visitor, 'end.zip', changed)
    const result = visitor.getByRole('listitem', { name: 'end.zip' })
    await expect(result.getByText('Unknown', { exact: true })).toBeVisible()
    await expect(result.getByText(/packed again, or names in it were changed/)).toBeVisible()
  })

  await test.step('a document of the archive is current by itself', async () => {
    await drop(visitor, 'roof.txt', await fetchFile(broker, world.address, accountId, roof))
    await expect(visitor.getByRole('listitem', { name: 'roof.txt' }).getByText('Unchanged and current')).toBeVisible()
  })

  await test.step('the Word list names the documents that are not there', async () => {
    const { data } = await broker(fileCalls.fileAction, { params: { id: accountId }, body: { action: 'document_list' } })
    if (data === null || !('url' in data)) throw new Error('The list has no link')
    const list = await fetch(new URL(data.url ?? '', world.address))
    await drop(visitor, 'list.docx', Buffer.from(await list.arrayBuffer()))
    const result = visitor.getByRole('listitem', { name: 'list.docx' })
    await expect(result.getByText('Unchanged and current')).toBeVisible()
    await expect(result.getByText('All 2 files that it lists are here, unchanged.')).toBeVisible()
  })

  await test.step('a withdrawn document makes the archive superseded, and is named', async () => {
    await broker(fileCalls.removeInAccount, { params: { id: accountId }, body: { ids: [roof] } })
    await drop(visitor, 'again.zip', archive)
    const result = visitor.getByRole('listitem', { name: 'again.zip' })
    await expect(result.getByText('Unchanged, but superseded')).toBeVisible()
    await result.getByText('1 replaced or withdrawn since').click()
    await expect(result.getByText(/Roof survey 2024\.txt$/)).toBeVisible()
    await checkScreen(visitor, 'check-results', { phone: true })
  })

  expect(sent.length).toBeGreaterThan(4)
  for (const body of sent)
    expect(JSON.parse(body)).toEqual({ checksums: expect.arrayContaining([expect.stringMatching(/^(zip:)?[0-9a-f]{64}$/)]) })
  await visitor.context().close()
})

/**
 * Drops a file on the page, as from a folder of the computer. The browser dispatches the events itself, because only then are there entries
 * of the file system.
 */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const path = test.info().outputPath(name)
  writeFileSync(path, bytes)
  const area = page.getByText(/^They stay on your computer/)
  await area.scrollIntoViewIfNeeded()
  const { x = 0, y = 0 } = (await area.boundingBox()) ?? {}
  const browser = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data })
  await browser.detach()
}
