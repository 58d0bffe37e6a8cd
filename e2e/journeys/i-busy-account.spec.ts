import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { expect } from '@playwright/test'
import pg from 'pg'
import { z } from 'zod'
import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { ARCHIVE_MULTI_PROPERTY_ABOVE } from '#contract/limits.ts'
import { MANIFEST_NAME } from '#contract/manifest.ts'
import type { Client } from '../support/client.ts'
import { signInAt, test } from '../support/journey.ts'
import { E2E_ADMIN, signedIn } from '../support/people.ts'
import { databaseUrl, freePort, makeDataDir, removeDataDir, start, type Running } from '../support/processes.ts'
import { fetchFile } from '../support/uploads.ts'

const START_MS = 180_000
/** The broker of the demo has the password of its administrator. */
const BROKER = { email: 'broker@plumbline.example', password: E2E_ADMIN.password }
const BUSY = 'Pacific Crest Retail and Office Portfolio'
const INDEX = 'Document Index.xlsx'

let dataDir: string
let server: Running
let broker: Client

test.beforeAll(async () => {
  test.setTimeout(START_MS)
  dataDir = makeDataDir()
  server = await start({ dataDir, port: await freePort(), env: { SEED: 'demo' } })
  broker = await signedIn(server.address, BROKER)
})
test.afterAll(async () => {
  await server?.stop()
  await removeDataDir(dataDir)
})

test('a broker downloads all documents of the busy account of the demo and finds each of them in the archive', async ({ browser }) => {
  const { data: found } = await broker(accountCalls.index, { query: { search: BUSY } })
  const id = found[0]?.id ?? ''
  const { data: documents } = await broker(fileCalls.listInAccount, { params: { id }, query: { paginate: '100' } })
  expect(documents.length).toBeGreaterThan(30)
  expect(documents.filter(({ propertyIds }) => copiesOf(propertyIds) > 1).length, 'documents with several copies').toBeGreaterThan(0)
  // Documents in an S3 store have no checksums before a job has read them, so the page has to wait for the archive.
  await forgetChecksums(id)

  const page = await browser.newPage({ baseURL: server.address, acceptDownloads: true })
  await signInAt(page, BROKER.email, `/accounts/${id}`, BROKER.password)
  await page.getByRole('button', { name: 'Download Everything' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /Generate Organized Zip/ }).click()
  const archive = await download
  expect(archive.suggestedFilename()).toMatch(new RegExp(`^${BUSY} - Organized Documents - \\d{4}-\\d{2}-\\d{2}\\.zip$`))

  const { entries, index } = readArchive(await archive.path())
  const expected = await Promise.all(
    documents.map(async (file) => expectedEntries(file, await fetchFile(broker, server.address, id, file.id))),
  )
  const actual = entries.filter(({ path }) => path !== INDEX && path !== MANIFEST_NAME)
  const byContent = (list: { name: string; size: number; sha256: string }[]) =>
    list.map(({ name, size, sha256 }) => `${name} ${size} ${sha256}`).toSorted()
  expect(byContent(actual.map((entry) => ({ ...entry, name: basename(entry.path) })))).toEqual(byContent(expected.flat()))
  expect(new Set(entries.map(({ path }) => path)).size, 'different paths').toBe(entries.length)
  expect(index).toEqual(actual.map(({ path, size }) => [path, size]))
})

const copiesOf = (properties: readonly string[]) =>
  properties.length > 0 && properties.length <= ARCHIVE_MULTI_PROPERTY_ABOVE ? properties.length : 1

/** The entries of one document in the archive: a copy for each of up to five properties. */
function expectedEntries({ file, vanity_name, propertyIds }: AccountFile, bytes: Buffer) {
  expect(bytes.length, file.original_file_name).toBe(file.size)
  const extension = /\.[^.]+$/.exec(file.original_file_name)?.[0] ?? ''
  const name = vanity_name === null ? file.original_file_name : `${vanity_name}${extension}`
  return Array.from({ length: copiesOf(propertyIds) }, () => ({
    name,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
}

async function forgetChecksums(accountId: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await database.connect()
  await database.query('UPDATE account_files SET crc32 = NULL, sha256 = NULL WHERE account_id = $1', [accountId])
  await database.end()
}

const Archive = z.object({
  entries: z.array(z.object({ path: z.string(), size: z.number(), sha256: z.string() })),
  index: z.array(z.tuple([z.string(), z.number()])),
})

/** Unpacks the archive with a program that is not the product; the index is returned as pairs of path and size. */
const readArchive = (path: string) => Archive.parse(JSON.parse(execFileSync('python3', ['-c', UNZIP, path], { encoding: 'utf8' })))

const UNZIP = `
import hashlib, io, json, sys, zipfile
from xml.etree import ElementTree
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
contents = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
workbook = zipfile.ZipFile(io.BytesIO(dict(contents)['${INDEX}']))
space = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
shared = []
if 'xl/sharedStrings.xml' in workbook.namelist():
    shared = [''.join(item.itertext()) for item in ElementTree.fromstring(workbook.read('xl/sharedStrings.xml'))]
def value(cell):
    text = ''.join(cell.itertext())
    return shared[int(text)] if cell.get('t') == 's' else text
rows = [[value(cell) for cell in row] for row in ElementTree.fromstring(workbook.read('xl/worksheets/sheet1.xml')).iter(space + 'row')]
print(json.dumps({
    'entries': [{'path': name, 'size': len(data), 'sha256': hashlib.sha256(data).hexdigest()} for name, data in contents],
    'index': [[row[0], int(row[-2])] for row in rows[1:]],
}))
`
