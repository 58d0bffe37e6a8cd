import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createDeflateRaw } from 'node:zlib'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { accountForExports, type ExportedAccount } from './exported-account.ts'
import { alternate, limitFigure, median, megabytes, milliseconds, ratioFigure, seconds, type Line } from './figures.ts'
import { removeAccount } from './import.ts'
import { hasProgram, runProgram } from './processes.ts'
import { watch, type Watched } from './sampling.ts'
import { openStage, type Effort, type Stage } from './stage.ts'

const WORD_AT_MOST_S = 3
const STALL_AT_MOST_MS = 100
const EXCEL_AT_MOST = 1.5
const CSV_AT_MOST = 1.3
const FIRST_BYTE_AT_MOST_MS = 200
const MEMORY_AT_MOST_BYTES = 60 * 1024 ** 2

/** The Word list, the property list and the CSV export, compared with a hand-written stream of the same cells and with \copy. */
export async function measureExports(effort: Effort): Promise<Line[]> {
  if (!(await hasProgram('psql'))) return [{ what: 'exports', skipped: 'there is no psql on this machine' }]
  const stage = await openStage(effort.lists)
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
  const { data: account } = await stage.broker(accountCalls.create, { body: { name: `Bench exports ${Date.now()}`, type: 'standard' } })
  try {
    const made = await accountForExports(stage, account.id, effort.exports)
    return [...(await wordLines(stage, made, effort)), ...(await propertyLines(stage, made, folder, effort))]
  } finally {
    await removeAccount(stage, account.id)
    await rm(folder, { recursive: true })
    await stage.close()
  }
}

interface Taken {
  seconds: number
  firstByteMs: number
}

/** Reads a whole answer without storing it. */
async function read(address: string, init?: RequestInit): Promise<Taken> {
  const begun = performance.now()
  const answer = await fetch(address, init)
  if (!answer.ok || answer.body === null) throw new Error(`${address}: ${answer.status}`)
  const reader = answer.body.getReader()
  await reader.read()
  const firstByteMs = performance.now() - begun
  while (!(await reader.read()).done);
  return { seconds: (performance.now() - begun) / 1_000, firstByteMs }
}

async function wordLines(stage: Stage, { id, documents }: ExportedAccount, effort: Effort): Promise<Line[]> {
  const list = async () => {
    const begun = performance.now()
    const { data } = await stage.broker(fileCalls.fileAction, { params: { id }, body: { action: 'document_list', files: 'all' } })
    await read(new URL(data?.url ?? '', stage.product.address).href)
    return (performance.now() - begun) / 1_000
  }
  await list()
  const taken: Watched<number>[] = []
  for (let round = 0; round < effort.exports.rounds; round += 1) taken.push(await watch(stage.product, list))
  const what = `Word list of ${documents.toLocaleString('en-US')} documents`
  return [
    limitFigure(`${what}: request to last byte`, median(taken.map(({ result }) => result)), WORD_AT_MOST_S, seconds),
    limitFigure(`${what}: event loop busy at most`, Math.max(...taken.map(({ busyMs }) => busyMs)), STALL_AT_MOST_MS, milliseconds),
    limitFigure(`${what}: memory grown`, Math.max(...taken.map(({ grownBytes }) => grownBytes)), MEMORY_AT_MOST_BYTES, megabytes),
  ]
}

async function propertyLines(stage: Stage, { id, properties }: ExportedAccount, folder: string, effort: Effort): Promise<Line[]> {
  const post = (path: string, body: object) =>
    read(new URL(`/api/v1/account_properties/${path}`, stage.product.address).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stage.brokerToken}` },
      body: JSON.stringify(body),
    })
  const downloads: Watched<Taken>[] = []
  const excel = async () => {
    const watched = await watch(stage.product, () => post('property-list/download', { account_id: id }))
    downloads.push(watched)
    return watched.result.seconds
  }
  const csv = async () => (await post('actions', { action: 'export_csv', handle: 'blob', input: 'all', account_id: id })).seconds
  await excel()
  downloads.length = 0
  const { rounds } = effort.exports
  const excelRounds = await alternate(rounds, excel, () => handWritten(stage, id, join(folder, 'sheet.xml')))
  await csv()
  const csvRounds = await alternate(rounds, csv, () => copied(stage, id, join(folder, 'rows.csv')))
  const count = properties.toLocaleString('en-US')
  const what = `property list of ${count} rows in Excel`
  return [
    ratioFigure({ what, rounds: excelRounds, unit: seconds, yardstick: 'hand-written stream', atMost: EXCEL_AT_MOST }),
    limitFigure(`${what}: first byte`, median(downloads.map(({ result }) => result.firstByteMs)), FIRST_BYTE_AT_MOST_MS, milliseconds),
    limitFigure(`${what}: memory grown`, Math.max(...downloads.map(({ grownBytes }) => grownBytes)), MEMORY_AT_MOST_BYTES, megabytes),
    limitFigure(`${what}: event loop busy at most`, Math.max(...downloads.map(({ busyMs }) => busyMs)), STALL_AT_MOST_MS, milliseconds),
    ratioFigure({
      what: `list of ${count} properties as CSV`,
      rounds: csvRounds,
      unit: seconds,
      yardstick: '\\copy to stdout',
      atMost: CSV_AT_MOST,
    }),
  ]
}

/** The columns of the property list that are columns of the table, and the counts and the label that the list has in addition. */
const CELLS = `SELECT location_number, building_number, property_name, address, address_2, city, county, state, postal_code, country, latitude,
  longitude, property_type, construction_class, year_built, stories, floor_area, sprinklered, percent_sprinklered, roof_year, flood_zone,
  building_value, other_value, contents_value, bi_value, tiv, currency, valuation_date, valuation_basis, interest, geocode_level,
  building_count, bi_months,
  (SELECT count(*) FROM account_file_properties l JOIN account_files f ON f.id = l.file_id AND f.deleted_at IS NULL
    WHERE l.property_id = account_properties.id) AS documents,
  quality_score, (SELECT count(*) FROM discrepancies d WHERE d.property_id = account_properties.id AND d.status = 'open') AS discrepancies, status`
const LISTED_CELLS = `SELECT location_number, building_number, property_name, address, city, state, building_value, contents_value, bi_value, tiv,
  (SELECT count(*) FROM discrepancies d WHERE d.property_id = account_properties.id AND d.status = 'open') AS discrepancies, quality_score,
  property_type, construction_class, year_built, stories, floor_area, sprinklered, postal_code, county,
  (SELECT count(*) FROM account_file_properties l WHERE l.property_id = account_properties.id) AS documents, status, updated_at, currency`

const copyOf = (cells: string, accountId: string, order: string) =>
  `\\copy (${cells} FROM account_properties WHERE account_id = '${accountId}' ORDER BY ${order}) TO`
const options = (stage: Stage, command: string) => ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', command, stage.databaseUrl]

/** Seconds in which psql writes the same rows as CSV. */
async function copied(stage: Stage, accountId: string, file: string): Promise<number> {
  const begun = performance.now()
  await runProgram('psql', options(stage, `${copyOf(LISTED_CELLS, accountId, 'updated_at DESC, id')} '${file}' WITH (FORMAT csv, HEADER)`))
  return (performance.now() - begun) / 1_000
}

const NUMBER = /^-?\d+(\.\d+)?$/
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Seconds in which the cells of the rows go from \copy through two templates and deflate to a file, with nothing else of a workbook. */
async function handWritten(stage: Stage, accountId: string, file: string): Promise<number> {
  const begun = performance.now()
  const order =
    "(CASE WHEN location_number ~ '^[0-9]{1,15}$' THEN location_number::bigint END), location_number, building_number, address, id"
  const psql = spawn('psql', options(stage, `${copyOf(CELLS, accountId, order)} STDOUT`), { stdio: ['ignore', 'pipe', 'inherit'] })
  async function* sheet() {
    let chunk = ''
    for await (const line of createInterface({ input: psql.stdout })) {
      chunk += `<row>${line.split('\t').map(cellOf).join('')}</row>`
      if (chunk.length < 65_536) continue
      yield chunk
      chunk = ''
    }
    yield chunk
  }
  await pipeline(sheet, createDeflateRaw({ level: 2 }), createWriteStream(file))
  return (performance.now() - begun) / 1_000
}

const cellOf = (text: string): string =>
  text === '\\N'
    ? ''
    : NUMBER.test(text)
      ? `<c><v>${text}</v></c>`
      : `<c t="inlineStr"><is><t>${text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)}</t></is></c>`
