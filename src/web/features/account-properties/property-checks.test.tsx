import { MantineProvider } from '@mantine/core'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { propertyCalls, type Property, type PropertyRow } from '#contract/account-properties.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { staleAfter } from '#web/data/staleness.ts'
import { SeverityIcon } from '#web/engines/metric/statistics.tsx'
import { accountServer, accountWith, checkState } from '#web/testing/account-server.ts'
import { onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'
import { COLUMNS, PROPERTY_ID, property, row } from './properties.fixture.ts'
import { PropertiesTab } from './properties.tab.tsx'
import { FindingMark, QualityBar, QualityGrade } from './property-marks.tsx'

afterEach(resetPage)

const GUEST: readonly PermissionName[] = ['view_account_details', 'view_account_properties']
const CHECKER: readonly PermissionName[] = [...GUEST, 'view_account_reconciliation_metric']
const READ_ON = 'Mar 5, 2026, 10:00 AM'
const LATER = '2026-03-05T16:00:00.000Z'
const STATES = [
  ['never', checkState('never', { as_of: null }), 'Not checked yet.'],
  ['waiting', checkState('waiting'), `Changed since the last check; the next one follows shortly. The discrepancies are of ${READ_ON}.`],
  ['running', checkState('running', { done: 30, total: 120 }), `Checking 120 properties. The discrepancies are of ${READ_ON}.25%`],
  [
    'running to its end',
    checkState('running', { done: 120, total: 120 }),
    `Checking 120 properties. The discrepancies are of ${READ_ON}.99%`,
  ],
  ['failed', checkState('failed'), `The last check failed. The discrepancies are of ${READ_ON}.`],
] as const

const serverWith = (state = checkState('current'), changes: Partial<Property> = {}, rowChanges: Partial<PropertyRow> = {}) =>
  accountServer(accountWith())
    .on(discrepancyCalls.state, () => ({ data: state }))
    .on(propertyCalls.show, () => ({ data: { ...property, ...changes } }))
    .on(propertyCalls.columns, () => ({ data: [...COLUMNS, tableColumn('discrepancies', 'Discrepancies')] }))
    .on(propertyCalls.index, () => onePage([{ ...row, ...rowChanges }]))

const openList = async (permissions = CHECKER) => {
  renderWithSession(<PropertiesTab account={accountWith()} />, { session: sessionWith(permissions), path: '/?tab=properties' })
  const [tableRow] = (await screen.findByRole('link', { name: '1 Main St' })).closest('tbody')?.rows ?? []
  if (tableRow === undefined) throw new Error('The list has no row')
  const cell = (label: string) => tableRow.cells[screen.getByRole('columnheader', { name: label }).closest('th')?.cellIndex ?? -1]
  return { score: cell('Data quality'), discrepancies: cell('Discrepancies') }
}
const openPanel = async (permissions = CHECKER) => {
  renderApp(`/accounts/${property.account_id}/properties/${PROPERTY_ID}`, sessionWith(permissions))
  return screen.findByRole('dialog', { name: '1 Main St' })
}

describe('the list of properties', () => {
  it.each([
    ['Not checked yet', checkState('waiting', { as_of: null })],
    ['Out of date', checkState('waiting')],
  ])('says “%s” in the line of its toolbar, where a sentence would be cut', async (text, state) => {
    serverWith(state)
    await openList()
    expect((await screen.findByText(text)).getAttribute('aria-hidden')).toBe('true')
  })

  it('is checked when what the check found has arrived', async () => {
    const server = serverWith()
    await openList()
    const listed = onePage([row])
    const rows = Promise.withResolvers<typeof listed>()
    server.on(discrepancyCalls.state, () => ({ data: checkState('current', { as_of: LATER }) })).on(propertyCalls.index, () => rows.promise)
    act(() => staleAfter.account['model-updated']({ id: property.account_id, updatedAt: LATER, scope: 'data' }))
    expect(await screen.findByTitle(/^Checking .* The discrepancies are of /)).toBeTruthy()
    rows.resolve(listed)
    await waitFor(() => expect(screen.queryByTitle(/^Checking/)).toBeNull())
  })

  it.each(STATES)('shows the state of the check above its rows while it is "%s"', async (_name, state, text) => {
    serverWith(state)
    await openList()
    const note = await screen.findByTitle(text.replace(/\d+%$/, ''))
    expect(note.textContent).toContain(text.replace(/\d+%$/, ''))
    // In a few words: a line of the toolbar that wraps would move all rows.
    expect(note.firstChild?.textContent?.length).toBeLessThan(25)
  })

  it('names the button that repeats a failed check only to users who have it', async () => {
    serverWith(checkState('failed'))
    await openList([...CHECKER, 'resolve_discrepancies'])
    expect(await screen.findByText(/Start it again with "Check again"/)).toBeDefined()
  })

  it('shows a critical discrepancy with the same shape as the overview', () => {
    render(
      <MantineProvider>
        <FindingMark
          propertyId={PROPERTY_ID}
          findings={[{ field: 'year_built', severity: 'critical', message: 'Enter it.', widespread: false }]}
        />
        <SeverityIcon severity="critical" />
      </MantineProvider>,
    )
    const shapes = [...document.querySelectorAll('svg')].map(({ innerHTML }) => innerHTML)
    expect(shapes).toHaveLength(2)
    expect(shapes[0]).toBe(shapes[1])
  })

  it('shows no state of the check while the discrepancies are those of the present values', async () => {
    const server = serverWith()
    await openList()
    await waitFor(() => expect(server.requests.some((request) => request.endsWith('/reconciliation'))).toBe(true))
    expect(screen.queryByText(/checked|discrepancies are of/i)).toBeNull()
  })

  it('distinguishes no open discrepancies from a property that was not checked', async () => {
    serverWith(checkState('current'), {}, { findings: [], discrepancies: { value: 0, text: '0' } })
    expect((await openList()).discrepancies?.innerHTML).toContain('aria-label="No discrepancies"')
    resetPage()
    serverWith(checkState('current'), {}, { findings: [], quality_score: { value: null, text: '' } })
    expect((await openList()).discrepancies?.innerHTML).toContain('Not checked')
  })

  it('marks a critical discrepancy of the whole schedule at its cell, and counts it apart from those of the property', async () => {
    const shared = { field: 'building_value', severity: 'critical', message: 'No value. Enter it.', widespread: true } as const
    const checked = checkState('current')
    serverWith(checked, {}, { findings: [shared], discrepancies: { value: 0, text: '0' }, schedule_findings: 3 })
    const mark = (await openList()).discrepancies
    expect(mark?.textContent).toBe('+3')
    expect(
      within(mark as HTMLElement).getByRole('button', { name: '3 of the whole schedule: Critical: No value. Enter it.' }),
    ).toBeDefined()
    expect(document.querySelectorAll('td [data-severity="critical"]')).toHaveLength(1)
    resetPage()
    serverWith(checked, {}, { findings: [shared, ...(row.findings ?? [])], schedule_findings: 3 })
    const own = (await openList()).discrepancies
    expect(own?.textContent).toBe('1')
    expect(within(own as HTMLElement).getByRole('button', { name: /^1 and 3 of the whole schedule: Warning: / })).toBeDefined()
    resetPage()
    serverWith(checked, {}, { findings: [], discrepancies: { value: 0, text: '0' }, schedule_findings: 2 })
    expect((await openList()).discrepancies?.innerHTML).toMatch(/title="Only discrepancies of the whole schedule: 2".*>\+2</)
  })

  it('says nothing about score and discrepancies to a viewer who cannot see them', async () => {
    const unseen = { value: null, text: '' }
    serverWith(checkState('current'), {}, { findings: null, discrepancies: unseen, quality_score: unseen })
    const { score, discrepancies } = await openList(GUEST)
    expect(`${score?.innerHTML ?? 'missing'}${discrepancies?.innerHTML ?? 'missing'}`).not.toMatch(/missing|checked|No open|aria-label|\d/)
  })
})

describe('the panel of a property', () => {
  const discrepanciesOf = (panel: HTMLElement) => within(panel).findByRole('region', { name: 'Discrepancies' })

  it.each(STATES)('shows the state of the check once, and no verdict, while it is "%s"', async (name, state, text) => {
    serverWith(state, name === 'never' ? { quality_score: null } : { findings: [FINDING] })
    const section = await discrepanciesOf(await openPanel())
    await waitFor(() => expect(section.textContent).toContain(text))
    expect(section.textContent.split(text)).toHaveLength(2)
    expect(section.textContent).not.toContain('No open discrepancies')
  })

  it('links to the other property of a possible duplicate', async () => {
    const other = { id: PROPERTY_ID.replace(/.$/, '9'), title: 'Location 12, building 2' }
    serverWith(checkState('current'), { findings: [{ ...FINDING, check_id: 'DQ-09', other }] })
    const link = await within(await openPanel()).findByRole('link', { name: 'Open Location 12, building 2' })
    expect(link.getAttribute('href')).toBe(`/accounts/${property.account_id}/properties/${other.id}`)
  })

  it('lists what most properties of the schedule have apart from its own discrepancies', async () => {
    const ofSchedule = { ...FINDING, id: `${FINDING.id}9`, message: 'Enter the valuation date.', widespread: true }
    serverWith(checkState('current'), { findings: [ofSchedule] })
    const section = await discrepanciesOf(await openPanel())
    const text = /None of this property alone\.Of the whole schedule\s*Warning\s*Enter the valuation date\./
    await waitFor(() => expect(section.textContent).toMatch(text))
    resetPage()
    serverWith(checkState('current'), { findings: [ofSchedule, FINDING] })
    const both = await discrepanciesOf(await openPanel())
    await waitFor(() => expect(both.textContent).toMatch(/Enter the year built\.Of the whole schedule.*Enter the valuation date\./))
  })

  it.each(STATES.filter(([name]) => name !== 'never'))(
    'names what the last check found, and gives no verdict, while it is "%s"',
    async (_name, state) => {
      const ofSchedule = { ...FINDING, id: `${FINDING.id}9`, widespread: true }
      for (const [findings, text] of [
        [[], 'None was open at the last check.'],
        [[ofSchedule], 'None of this property alone at the last check.'],
      ] as const) {
        serverWith(state, { findings: [...findings] })
        const section = await discrepanciesOf(await openPanel())
        await waitFor(() => expect(section.textContent).toContain(text))
        resetPage()
      }
    },
  )

  it('shows when its property was checked, and the verdict', async () => {
    serverWith()
    const section = await discrepanciesOf(await openPanel())
    await waitFor(() => expect(section.textContent).toBe(`DiscrepanciesChecked on ${READ_ON}No open discrepancies.`))
  })

  it('shows a new property as not checked, without a verdict', async () => {
    serverWith(checkState('waiting', { as_of: null }), { quality_score: null })
    const section = await discrepanciesOf(await openPanel())
    await waitFor(() => expect(section.textContent).toBe('DiscrepanciesWaiting to be checked.Not checked yet.'))
  })

  it('says nothing about score and discrepancies to a viewer who cannot see them', async () => {
    serverWith(checkState('current'), { findings: null, quality_score: null })
    const panel = await openPanel(GUEST)
    expect(await within(panel).findByText('Total insured value')).toBeDefined()
    expect(panel.textContent).not.toMatch(/discrepanc|data quality|checked/i)
  })
})

describe('a data quality score', () => {
  it.each([
    [95, 'good'],
    [72, 'fair'],
    [65, 'warning'],
    [12, 'warning'],
  ])('of %i is %s, and never critical, which only discrepancies are', async (score, color) => {
    const scores = (
      <>
        <QualityBar score={score} />
        <QualityGrade score={score} />
      </>
    )
    const { container } = renderWithSession(scores, { session: sessionWith([]) })
    const colors = () => [...container.querySelectorAll('[data-color]')].map((mark) => mark.getAttribute('data-color'))
    await waitFor(() => expect(colors()).toEqual([color, color]))
  })
})

const FINDING = {
  id: property.id,
  check_id: 'DQ-04',
  field: 'year_built',
  severity: 'warning',
  message: 'Enter the year built.',
  widespread: false,
  other: null,
} as const
