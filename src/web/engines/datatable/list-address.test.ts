import { describe, expect, it } from 'vitest'
import { filterChips } from './filter-bar.tsx'
import { filtersOf, indexQuery, nextSort, readListState, writeListState } from './list-address.ts'
import { pageNumbers, rangeText } from './pager.tsx'
import { opensUpward } from './row-menu.tsx'

describe('the state of a list in the address', () => {
  it('is read from the search params, and an invalid value counts as not set', () => {
    const state = readListState({
      page: '3',
      paginate: '50',
      search: 'oak',
      sort: 'name',
      order: 'asc',
      filter__type: 'managed',
      tab: 'properties',
    })
    expect(state).toEqual({ page: 3, perPage: 50, search: 'oak', sort: 'name', order: 'asc', filters: { type: 'managed' } })
    expect(readListState({ page: '-1', paginate: 'many', order: 'sideways' })).toEqual({
      page: 1,
      perPage: null,
      search: '',
      sort: null,
      order: 'desc',
      filters: {},
    })
  })

  it('preserves the params of other parts of the page and drops empty values', () => {
    expect(writeListState({ tab: 'properties', filter__state: 'TX', page: '4' }, { filters: { state: '' } })).toEqual({ tab: 'properties' })
  })

  it('returns to the first page with every change except a page change', () => {
    expect(writeListState({ page: '4' }, { search: 'oak' })).toEqual({ search: 'oak' })
    expect(writeListState({ search: 'oak' }, { page: 2 })).toEqual({ search: 'oak', page: 2 })
  })
})

describe('the query for a page of rows', () => {
  const state = readListState({ filter__status: 'divested', search: 'oak' })

  it('requests 15 rows unless the user chose another number', () => {
    expect(indexQuery(state)['paginate']).toBe('15')
    expect(indexQuery(state, { savedPerPage: 50 })['paginate']).toBe('50')
    expect(indexQuery(readListState({ paginate: '25' }), { savedPerPage: 50 })['paginate']).toBe('25')
  })

  it('always includes fixed filters, and presets until the address sets them', () => {
    const query = indexQuery(state, { fixed: { account_id: 'a' }, presets: { status: 'active' } })
    expect(query).toMatchObject({ filter__account_id: 'a', filter__status: 'divested', search: 'oak' })
    expect(indexQuery(readListState({}), { presets: { status: 'active' } })).toMatchObject({ filter__status: 'active' })
  })

  it('passes its filters and the search to actions on all matching records', () => {
    expect(filtersOf(indexQuery(state))).toEqual({ filter__status: 'divested', search: 'oak' })
  })

  it('sorts ascending, then descending, then by default', () => {
    expect(nextSort(readListState({}), { key: 'name', first: 'asc' })).toEqual({ sort: 'name', order: 'asc' })
    expect(nextSort(readListState({ sort: 'name', order: 'asc' }), { key: 'name', first: 'asc' })).toEqual({ sort: 'name', order: 'desc' })
    expect(nextSort(readListState({ sort: 'name', order: 'desc' }), { key: 'name', first: 'asc' })).toEqual({ sort: null, order: 'desc' })
  })

  it('sorts numbers from the largest first', () => {
    expect(nextSort(readListState({}), { key: 'tiv', first: 'desc' })).toEqual({ sort: 'tiv', order: 'desc' })
    expect(nextSort(readListState({ sort: 'tiv', order: 'desc' }), { key: 'tiv', first: 'desc' })).toEqual({ sort: 'tiv', order: 'asc' })
    expect(nextSort(readListState({ sort: 'tiv', order: 'asc' }), { key: 'tiv', first: 'desc' })).toEqual({ sort: null, order: 'desc' })
  })

  it('reverses the default order with the first click on its column', () => {
    const byName = { sort: 'name', order: 'asc' } as const
    const name = { key: 'name', first: 'asc' } as const
    expect(nextSort(readListState({}), name, byName)).toEqual({ sort: 'name', order: 'desc' })
    expect(nextSort(readListState({ sort: 'name', order: 'desc' }), name, byName)).toEqual({ sort: null, order: 'desc' })
  })
})

describe('the controls around a list', () => {
  it('show the range of rows on the page', () => {
    expect(rangeText({ from: 1, to: 15, total: 8645 })).toBe('1 to 15 of 8,645')
    expect(rangeText({ from: null, to: null, total: 0 })).toBe('0 of 0')
  })

  it('offer the first page, the last page and those around the current one', () => {
    expect(pageNumbers(1, 4)).toEqual([1, 2, 3, 4])
    expect(pageNumbers(20, 577)).toEqual([1, null, 19, 20, 21, null, 577])
    expect(pageNumbers(1, 577)).toEqual([1, 2, null, 577])
  })

  it('show filters with the labels of their values', () => {
    const known = [
      { name: 'state', label: 'State', type: 'multiselect' as const, options: [{ value: 'TX', label: 'Texas' }], default: null },
    ]
    const values = [
      ['state', 'TX,ZZ'],
      ['has_documents', '1'],
    ] as const
    expect(filterChips(values, known, 'UTC')).toEqual([
      { name: 'state', label: 'State', text: 'Texas, ZZ' },
      { name: 'has_documents', label: 'Has documents', text: '1' },
    ])
    expect(filterChips([['discrepancy', 'x']], known, 'UTC', () => ({ label: 'Discrepancy', text: 'No values' }))).toEqual([
      { name: 'discrepancy', label: 'Discrepancy', text: 'No values' },
    ])
  })

  it('show a moment as the day in the time zone of the company', () => {
    const chipsIn = (zone: string) => filterChips([['changed_since', '2026-03-02T01:30:00.000Z']], [], zone)
    expect(chipsIn('UTC')).toEqual([{ name: 'changed_since', label: 'Changed since', text: 'Mar 2, 2026' }])
    expect(chipsIn('America/Chicago')).toEqual([{ name: 'changed_since', label: 'Changed since', text: 'Mar 1, 2026' }])
  })

  it('open the menus of the last three rows upward', () => {
    expect([11, 12, 13, 14].map((index) => opensUpward(index, 15))).toEqual([false, true, true, true])
    expect([0, 1].map((index) => opensUpward(index, 2))).toEqual([true, true])
  })
})
