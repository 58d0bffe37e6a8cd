import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Cell } from '#contract/datatable.ts'
import { isoDateIn } from '#contract/format.ts'
import { newPackage } from '#server/engines/packages/packages.ts'
import { guarded } from '#server/engines/spreadsheet/formula-guard.ts'
import { readAll, readOne, save } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { subscribe } from '#server/testing/factories/people.ts'
import { reconcile, reconciledAccount } from '#server/testing/factories/register.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { propertyList } from './property-list.commands.ts'

const { app, tenant, ownerCtx, owner: broker } = await testTenant()
const companyId = tenant.company.id
const { timezone } = ownerCtx.viewer.kind === 'user' ? ownerCtx.viewer : { timezone: 'UTC' }
const { id: account } = await makeAccount(app.system, { companyId, name: 'Hostile' })

/** Formulas, quotes, markup, blanks, control characters and the names of properties of objects. */
const HOSTILE = [
  '=1+1',
  '-Hall',
  '"Quoted", Inc.',
  '<b>&amp;</b>',
  ' blank ',
  'two\nlines',
  '_x000D_',
  'tab\tinside',
  '🏢 Turm',
  'constructor',
  '＝1',
  'x'.repeat(200),
]
const MOMENTS = ['2026-01-02T03:00:00Z', '2026-07-02T03:59:59Z', '2026-07-02T04:00:00Z']

beforeAll(async () => {
  await subscribe(app.system, companyId)
  const made: string[] = []
  for (const at of HOSTILE.keys())
    made.push(
      (
        await makeProperty(app.system, account, {
          location_number: String(at),
          property_name: 'plain',
          city: 'Salem',
          county: null,
          building_value: at % 2 === 0 ? null : at * 1_000,
          stories: at % 3 === 0 ? null : at / 4,
          postal_code: null,
        })
      ).id,
    )
  for (const [at, id] of made.entries())
    await sql`UPDATE account_properties SET property_name = ${HOSTILE[at]}, city = ${HOSTILE[(at + 1) % HOSTILE.length]}, sprinklered = ${at === 1 ? 'constructor' : 'full'},
      updated_at = ${MOMENTS[at % 3]}, quality_score = ${at}, checked_digest = 'checked' WHERE id = ${id}`.execute(app.system.db)
  const [first = '', second = '', third = '', trashed = ''] = made
  await sql`UPDATE account_properties SET status = 'divested', divested_on = '2026-01-01', divested_reason = 'sold' WHERE id = ${third}`.execute(
    app.system.db,
  )
  await sql`UPDATE account_properties SET deleted_at = now() WHERE id = ${trashed}`.execute(app.system.db)
  const { id: file } = await makeFile(ownerCtx, account, { name: 'private.txt', private: true })
  const { id: removed } = await makeFile(ownerCtx, account, { name: 'removed.txt' })
  for (const [document, property] of [
    [file, first],
    [removed, first],
    [file, second],
  ])
    await sql`INSERT INTO account_file_properties (account_id, file_id, property_id) VALUES (${account}, ${document}, ${property})`.execute(
      app.system.db,
    )
  await sql`UPDATE account_files SET deleted_at = now() WHERE id = ${removed}`.execute(app.system.db)
  const finding = (property: string, check: string, other: string | null, widespread = false, status = 'open') =>
    sql`INSERT INTO discrepancies (account_id, property_id, check_id, group_name, severity, message, fingerprint, right_value, widespread, status)
      VALUES (${account}, ${property}, ${check}, 'data_quality', 'warning', 'A message', ${[property, check, status].join(' ')},
        ${JSON.stringify({ ref: other })}::jsonb, ${widespread}, ${status})`.execute(app.system.db)
  await finding(first, 'DQ-01', null)
  await finding(first, 'DQ-02', null, true)
  await finding(second, 'DQ-09', first)
  await finding(second, 'DQ-02', null, false, 'waived')
  await finding(first, 'DQ-09', third)
})

describe('an export of properties', () => {
  it('has the values of the cells of the list, also of hostile texts', async () => {
    const filters = { sort: 'location_number', order: 'asc', filter__account_id: account, filter__trashed: 'with' }
    const page = (await broker.get(`/api/v1/account_properties?${new URLSearchParams({ ...filters, paginate: '100' })}`)).body
    const columns: { src: string }[] = (await broker.get('/api/v1/account_properties/columns')).body.data
    const sources = columns.map(({ src }) => src).filter((src) => src !== 'currency')
    // The columns that others are followed by are named, too, so that the order is that of the request.
    const requested = [
      'property_name',
      'address',
      'location_number',
      'building_number',
      ...sources.filter((src) => !['property_name', 'address', 'location_number', 'building_number'].includes(src)),
    ]
    const body = { model: 'account_properties', handle: 'blob', input: 'all', columns: requested, filters }
    const { raw, status } = await broker.post('/api/v1/account_properties/actions', { ...body, action: 'export_csv' })
    expect([status, page.data.length]).toEqual([200, HOSTILE.length])
    const shown = (row: Record<string, Cell> & { schedule_findings: number }) =>
      requested.map((src) => {
        const { value, text } = row[src] as Cell
        if (src === 'discrepancies') return Number(value) + row.schedule_findings
        if (src === 'updated_at') return isoDateIn(new Date(String(value)), timezone)
        return typeof value === 'number' ? value : guarded(text)
      })
    const expected = page.data.map((row: Parameters<typeof shown>[0]) => [...shown(row), 'USD'])
    const field = (value: string | number) =>
      /[",\r\n]|^\s|\s$/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)
    const lines = expected.map((values: (string | number)[]) => values.map(field).join(','))
    expect(raw.toString().split('\r\n').slice(1, -1)).toEqual(lines)

    const excel = await broker.post('/api/v1/account_properties/actions', { ...body, action: 'export_excel' })
    const { rows } = await readOne(await save('hostile.xlsx', excel.raw))
    const values = rows.slice(1).map(({ cells }) => requested.map((_src, at) => cells.find(({ column }) => column === at + 1)?.value ?? ''))
    const unguarded = page.data.map((row: Parameters<typeof shown>[0]) =>
      shown(row).map((value, at) =>
        typeof value === 'string' && requested[at] !== 'updated_at' ? (row[requested[at] ?? ''] as Cell).text : value,
      ),
    )
    expect(values).toEqual(unguarded)
  })
})

/** The columns of the property list of an account, or of another file, by their headings. */
async function columnsOf(id: string, path = 'property-list/download', body: object = {}) {
  const { raw } = await broker.post(`/api/v1/account_properties/${path}`, { account_id: id, ...body })
  const { rows } = await readOne(await save('list.xlsx', raw))
  return (header: string) => {
    const at = rows[0]?.cells.find(({ text }) => text === header)?.column
    if (at === undefined) throw new Error(`There is no column ${header}`)
    return rows.slice(1).map(({ cells }) => cells.find(({ column }) => column === at)?.value)
  }
}

describe('score and discrepancies in files', () => {
  /** For each property its score and discrepancies in the export, and the same in the property list. */
  const figuresOf = async (id: string) => {
    const exported = await columnsOf(id, 'actions', { model: 'account_properties', action: 'export_excel', handle: 'blob', input: 'all' })
    const list = await columnsOf(id)
    const pairs = (of: typeof list, location: string, score: string) =>
      Object.fromEntries(of(location).map((name, row) => [name, [of(score)[row], of('Open Discrepancies')[row]]]))
    const { Total: _none, ...listed } = pairs(list, 'Loc #', 'Data Quality')
    return [pairs(exported, 'Location #', 'Quality score'), listed]
  }

  it('are those of the property list in exports, with discrepancies of the whole schedule', async () => {
    const faults = { year_built: null, stories: null }
    const id = await reconciledAccount(
      app,
      companyId,
      ['1', '2', '3', '4', '5'].map((location_number) => ({ location_number, ...faults })),
    )
    const { data } = (await broker.get(`/api/v1/account_properties?filter__account_id=${id}`)).body
    expect(data.map((row: Record<string, Cell>) => row['discrepancies']?.value)).toEqual([0, 0, 0, 0, 0])
    const [exported, listed] = await figuresOf(id)
    expect(exported).toEqual(listed)
    expect(Object.values(listed ?? {})).toEqual(
      data.map((row: { quality_score: Cell; schedule_findings: number }) => [row.quality_score.value, row.schedule_findings]),
    )
    expect(data[0].schedule_findings).toBeGreaterThan(0)
  })

  it('are empty for a property that was changed since the last check, until the next one', async () => {
    const id = await reconciledAccount(app, companyId, [{ location_number: '1', year_built: null }, { location_number: '2' }])
    const before = await figuresOf(id)
    const empty = [undefined, undefined]
    const edited = await app.system.db
      .selectFrom('account_properties')
      .select('id')
      .where('account_id', '=', id)
      .where('location_number', '=', '1')
      .executeTakeFirstOrThrow()
    const { status } = await broker.put(`/api/v1/account_properties/${edited.id}`, { version: 1, year_built: 1990 })
    expect([status, before[0]?.['1']]).toEqual([200, [expect.any(Number), 1]])
    expect(await figuresOf(id)).toEqual(before.map((figures) => ({ ...figures, 1: empty })))
    await reconcile(app, id)
    const [exported, listed] = await figuresOf(id)
    expect([exported, listed?.['1']]).toEqual([listed, [expect.any(Number), 0]])
  })

  it('are empty for a property that was divested and reactivated since', async () => {
    const id = await reconciledAccount(app, companyId, [{ location_number: '1' }, { location_number: '2' }])
    const [first] = (await broker.get(`/api/v1/account_properties?filter__account_id=${id}&sort=location_number&order=asc`)).body.data
    const act = (action: string, input: object) =>
      broker.post('/api/v1/account_properties/actions', { action, selectedIds: [first.id], input })
    expect((await act('divest', { divested_on: '2026-01-01' })).status).toBe(200)
    expect((await act('reactivate', {})).status).toBe(200)
    const [exported, listed] = await figuresOf(id)
    expect(exported).toEqual(listed)
    expect(listed).toEqual({ 1: [undefined, undefined], 2: [expect.any(Number), expect.any(Number)] })
  })
})

describe('the property list of an account', () => {
  it('has each property once, also one that is divested while the list is read', async () => {
    const { id } = await makeAccount(app.system, { companyId, name: 'Changing' })
    for (const location_number of ['1', '2', '3']) await makeProperty(app.system, id, { location_number })
    let isRead = false
    const change = async () => {
      while (!isRead)
        await sql`UPDATE account_properties SET status = CASE status WHEN 'active' THEN 'divested' ELSE 'active' END,
          divested_on = CASE status WHEN 'active' THEN DATE '2026-01-01' END
          WHERE account_id = ${id} AND location_number = '1'`.execute(app.system.db)
    }
    const changing = change()
    const listed = new Set<string>()
    for (let round = 0; round < 100; round += 1) {
      const file = { made: newPackage(ownerCtx), account: 'Changing', content: createHash('sha256') }
      const { sheets } = await readAll(
        await save('list.xlsx', await buffer(await propertyList(ownerCtx, { accountId: id, ids: null }, file))),
      )
      const numbers = sheets.flatMap(({ rows }) => rows.map(({ cells }) => cells.find(({ column }) => column === 1)?.text ?? ''))
      listed.add(
        numbers
          .filter((number) => /^\d+$/.test(number))
          .toSorted()
          .join(),
      )
    }
    isRead = true
    await changing
    expect([...listed]).toEqual(['1,2,3'])
  })

  it('counts all open discrepancies, none before the first check, and has no totals of counts', async () => {
    await sql`UPDATE account_properties SET quality_score = NULL, checked_digest = NULL WHERE account_id = ${account} AND location_number = '5'`.execute(
      app.system.db,
    )
    const valuesOf = await columnsOf(account)
    const counts = Object.fromEntries(valuesOf('Loc #').map((location, row) => [location, valuesOf('Open Discrepancies')[row]]))
    // The first has one of its own, one that most properties share, and two possible duplicates, one of them stored at the second.
    expect(counts).toMatchObject({ 0: 4, 1: 1, 4: 0, 5: undefined, Total: undefined })
    expect(valuesOf('Documents').at(-1)).toBeUndefined()
  })
})
