import { act, screen, waitFor, within } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { metricCalls, type Metric } from '#contract/metrics.ts'
import { queries } from '#web/data/queries.ts'
import { queryClient } from '#web/data/query-client.ts'
import { fakeServer, errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { statusColor } from '#web/ui/status-color.ts'
import { metricLink } from './metric-link.ts'
import { PieMetric, PiePair } from './pie-metric.tsx'
import { arcsOf, byValue, slicesOf } from './pie-slices.ts'
import { formatSliceShare } from './slice-share.ts'

const ACCOUNT = '0198c0de-0000-7000-8000-0000000000a1'
const part = (id: string, count: number, tiv: number) => ({
  id,
  name: `Name ${id}`,
  count,
  tiv,
  action: { model: 'account_properties', filters: { filter__account_id: ACCOUNT, filter__property_type: id }, search: '' },
})
const METRIC: Metric = {
  title: 'Property Types',
  empty: 'Not enough data to render chart.',
  total: 10,
  counts: [part('office', 6, 100), part('retail', 3, 700), part('others', 1, 200), part('unknown', 0, 0)],
  chart: { labels: [], datasets: [{ data: [6, 3, 1, 0], backgroundColor: ['#0072B2', '#E69F00', '#7A869A', '#BDBDBD'] }] },
  statistics: [],
  icon: { icon: 'building', type: 'none' },
}

describe('pie slices', () => {
  test('have shares of the total and the colors of their parts, without empty parts', () => {
    expect(slicesOf(METRIC, 'count').map(({ name, share, color }) => [name, share, color])).toEqual([
      ['Name office', 0.6, statusColor('#0072B2')],
      ['Name retail', 0.3, statusColor('#E69F00')],
      ['Name others', 0.1, statusColor('#7A869A')],
    ])
  })

  test('of statuses with the same color are distinguishable', () => {
    const chart = { labels: [], datasets: [{ data: [6, 3, 1], backgroundColor: ['#2E7D32', '#2E7D32', '#2E7D32'] }] }
    const colors = slicesOf({ ...METRIC, chart }, 'count').map(({ color }) => color)
    expect(colors[0]).toBe(statusColor('#2E7D32'))
    expect(new Set(colors).size).toBe(3)
  })

  test('can be measured by value, largest first and the rest last', () => {
    expect(slicesOf(METRIC, 'tiv').map(({ id, share }) => [id, share])).toEqual([
      ['retail', 0.7],
      ['office', 0.1],
      ['others', 0.2],
    ])
  })

  test('include parts without a value, so that they add up to all records', () => {
    const metric = { ...METRIC, counts: [part('office', 6, 100), part('retail', 4, 0)] }
    expect(slicesOf(metric, 'tiv').map(({ id, count, share }) => [id, count, share])).toEqual([
      ['office', 6, 1],
      ['retail', 4, 0],
    ])
    expect(slicesOf({ ...METRIC, counts: [part('retail', 4, 0)] }, 'tiv')).toEqual([])
  })

  test('have the rest after the records without a value, by number and by value', () => {
    const metric = { ...METRIC, counts: [part('others', 9, 900), part('unknown', 5, 500), part('office', 1, 1)] }
    const order = ['office', 'unknown', 'others']
    expect(slicesOf(metric, 'count').map(({ id }) => id)).toEqual(order)
    expect(byValue(slicesOf(metric, 'count')).map(({ id }) => id)).toEqual(order)
  })

  test('have the currency of their metric', () => {
    expect(slicesOf({ ...METRIC, currency: 'CAD' }, 'tiv').map(({ currency }) => currency)).toEqual(['CAD', 'CAD', 'CAD'])
  })

  test('are none when all parts are empty', () => {
    expect(slicesOf({ ...METRIC, counts: [part('office', 0, 0)] }, 'count')).toEqual([])
  })

  test('show a share below half a percent as less than 1%', () => {
    expect([formatSliceShare(0.001), formatSliceShare(0.006), formatSliceShare(0)]).toEqual(['<1%', '1%', '0%'])
  })
})

describe('pie arcs', () => {
  test('of two halves touch at the bottom, with their middles to the right and left', () => {
    const [right, left] = arcsOf([0.5, 0.5], 0)
    expect(right?.middle.x).toBeCloseTo(0.5)
    expect(left?.middle.x).toBeCloseTo(-0.5)
    expect(right?.path).toBe('M0,-1A1,1,0,1,1,0,1L0,0Z')
  })

  test('draw a full circle, whose start and end are the same point, as two halves', () => {
    const [circle] = arcsOf([1], 0.7)
    expect(circle?.path).toMatch(/^M0,-1A1,1,0,1,1,0,1A1,1,0,1,1,0,-1M/)
  })
})

describe('the link of a metric', () => {
  test('opens the properties of the account with the filters of the metric', () => {
    const action = {
      model: 'account_properties',
      filters: { filter__account_id: ACCOUNT, filter__state: 'CA,TX' },
      search: '',
      sort: 'tiv',
      order: 'desc' as const,
    }
    expect(metricLink(action)).toBe(`/accounts/${ACCOUNT}?tab=properties&filter__state=CA%2CTX&sort=tiv&order=desc`)
  })

  test('opens the properties with a discrepancy', () => {
    const action = {
      model: 'discrepancies',
      filters: { filter__account_id: ACCOUNT, filter__check: 'DQ-09', filter__status: 'open' },
      search: '',
    }
    expect(metricLink(action)).toBe(`/accounts/${ACCOUNT}?tab=properties&filter__status=active&filter__discrepancy=possible_duplicate`)
  })

  test('is missing for models without a table', () => {
    expect(metricLink(null)).toBeUndefined()
    expect(metricLink({ model: 'moons', filters: {}, search: '' })).toBeUndefined()
  })
})

describe('a pie chart', () => {
  let server: FakeServer
  beforeEach(() => void (server = fakeServer()))
  afterEach(resetPage)
  const Shown = () => (
    <PieMetric
      query={useQuery(queries.accountMetric('propertyTypes', ACCOUNT))}
      shape="doughnut"
      unit="property"
      title="Property Types"
      measure="count"
    />
  )
  const show = () => renderWithSession(<Shown />, { session: sessionWith([]) })

  test('has a table for screen readers and a legend that links to the lists', async () => {
    server.on(metricCalls.propertyTypes, () => ({ data: METRIC }))
    show()
    const table = await screen.findByRole('table', { name: 'Property Types' })
    expect(within(table).getAllByRole('row')[1]?.textContent).toBe('Name office6$10060%')
    const link = screen.getByRole('link', { name: 'Name retail: 3 properties' })
    expect(link.getAttribute('href')).toBe(`/accounts/${ACCOUNT}?tab=properties&filter__property_type=retail`)
  })

  test('can switch its measure to value', async () => {
    server.on(metricCalls.propertyTypes, () => ({ data: METRIC }))
    const { user } = show()
    await user.click(await screen.findByRole('radio', { name: 'Value' }))
    await waitFor(() => expect(within(screen.getByRole('table')).getAllByRole('row')[1]?.textContent).toBe('Name retail3$70070%'))
  })

  test('names a part without a value in its legend and table, and draws none', async () => {
    const counts = [part('office', 6, 100), part('retail', 4, 0)]
    server.on(metricCalls.propertyTypes, () => ({ data: { ...METRIC, counts } }))
    const { user, container } = show()
    await user.click(await screen.findByRole('radio', { name: 'Value' }))
    await waitFor(() => expect(within(screen.getByRole('table')).getAllByRole('row')[2]?.textContent).toBe('Name retail4no value0%'))
    expect(screen.getByRole('link', { name: 'Name retail: 4 properties' }).closest('li')?.textContent).toBe('Name retailno value')
    expect(container.querySelectorAll('svg > path')).toHaveLength(1)
  })

  test('says that it is by number if its measure cannot be chosen', async () => {
    server.on(metricCalls.propertyTypes, () => ({ data: METRIC }))
    const ByNumber = () => (
      <PieMetric query={useQuery(queries.accountMetric('propertyTypes', ACCOUNT))} shape="pie" unit="property" title="Property Types" />
    )
    renderWithSession(<ByNumber />, { session: sessionWith([]) })
    expect(await screen.findByText('By number')).toBeDefined()
    expect(screen.queryByRole('radio')).toBeNull()
  })

  test('has a twin by value, and both say what they show', async () => {
    server.on(metricCalls.propertyTypes, () => ({ data: METRIC }))
    const Pair = () => <PiePair query={useQuery(queries.accountMetric('propertyTypes', ACCOUNT))} unit="property" title="Property Types" />
    renderWithSession(<Pair />, { session: sessionWith([]) })
    const table = await screen.findByRole('table', { name: 'Property Types' })
    expect(screen.getAllByRole('figure').map((figure) => figure.querySelector('figcaption')?.textContent)).toEqual([
      'By number',
      'By value',
    ])
    expect(within(table).getAllByRole('row')[1]?.textContent).toContain('Name retail330%$70070%')
  })

  test('has a twin by number when there are no values to compare', async () => {
    const counts = METRIC.counts.map(({ tiv: _sum, ...part }) => part)
    server.on(metricCalls.propertyTypes, () => ({ data: { ...METRIC, counts } }))
    const Pair = () => <PiePair query={useQuery(queries.accountMetric('propertyTypes', ACCOUNT))} unit="property" title="Property Types" />
    renderWithSession(<Pair />, { session: sessionWith([]) })
    await screen.findByRole('table', { name: 'Property Types' })
    expect(screen.getAllByRole('figure').map((figure) => figure.querySelector('figcaption')?.textContent)).toEqual([
      'By number',
      'By number (no values to compare)',
    ])
  })

  test('shows the empty text of its metric when there is nothing to draw', async () => {
    server.on(metricCalls.propertyTypes, () => ({ data: { ...METRIC, total: 0, counts: [] } }))
    show()
    expect(await screen.findByText('Not enough data to render chart.')).toBeDefined()
  })

  test('says when it is being loaded again', async () => {
    server.on(metricCalls.propertyTypes, () => ({ data: METRIC }))
    show()
    await screen.findByRole('table', { name: 'Property Types' })
    const card = screen.getByRole('group', { name: 'Property Types' })
    expect(card.getAttribute('aria-busy')).toBeNull()
    const newer = Promise.withResolvers<{ data: Metric }>()
    server.on(metricCalls.propertyTypes, () => newer.promise)
    act(() => void queryClient.invalidateQueries({ queryKey: queries.accountMetric('propertyTypes', ACCOUNT).queryKey }))
    expect(await screen.findByText('Updating…')).toBeDefined()
    expect(screen.getByRole('group', { name: 'Property Types' }).getAttribute('aria-busy')).toBe('true')
    newer.resolve({ data: METRIC })
    await waitFor(() => expect(screen.queryByText('Updating…')).toBeNull())
  })

  test('offers to retry after an error', async () => {
    server.on(metricCalls.propertyTypes, () => errorAnswer('not_found', 'This account does not exist.'))
    const { user } = show()
    await screen.findByText('This account does not exist.')
    server.on(metricCalls.propertyTypes, () => ({ data: METRIC }))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('table', { name: 'Property Types' })).toBeDefined()
  })
})
