import { describe, expect, it } from 'vitest'
import { filterChips } from './filter-words.ts'
import { filtersOf, indexQuery, nextSort, readListState, writeListState } from './list-state.ts'
import { pageNumbers, rangeText } from './pages.ts'
import { rowWindow } from './row-window.ts'
import { opensUpward } from './use-row-menu.ts'

describe('the state of a list in the address', () => {
  it('is read from the search params, and nonsense counts as not set', () => {
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

  it('leaves other params alone and drops what is empty', () => {
    expect(writeListState({ tab: 'properties', filter__state: 'TX', page: '4' }, { filters: { state: '' } })).toEqual({ tab: 'properties' })
  })

  it('goes back to the first page with every change but turning the page', () => {
    expect(writeListState({ page: '4' }, { search: 'oak' })).toEqual({ search: 'oak' })
    expect(writeListState({ search: 'oak' }, { page: 2 })).toEqual({ search: 'oak', page: 2 })
  })

  it('keeps two lists of one page apart by their prefix', () => {
    expect(readListState({ page: '3', d_page: '2', d_filter__sov: '1' }, 'd_')).toMatchObject({ page: 2, filters: { sov: '1' } })
    expect(writeListState({ page: '3' }, { page: 2 }, 'd_')).toEqual({ page: '3', d_page: 2 })
  })
})

describe('the question for a page of rows', () => {
  const state = readListState({ filter__status: 'divested', search: 'oak' })

  it('asks for 15 rows unless the person chose otherwise', () => {
    expect(indexQuery(state)['paginate']).toBe('15')
    expect(indexQuery(state, { savedPerPage: 50 })['paginate']).toBe('50')
    expect(indexQuery(readListState({ paginate: '25' }), { savedPerPage: 50 })['paginate']).toBe('25')
  })

  it('carries fixed filters always and presets until the address says otherwise', () => {
    const query = indexQuery(state, { fixed: { filter__account_id: 'a' }, presets: { status: 'active' } })
    expect(query).toMatchObject({ filter__account_id: 'a', filter__status: 'divested', search: 'oak' })
    expect(indexQuery(readListState({}), { presets: { status: 'active' } })).toMatchObject({ filter__status: 'active' })
  })

  it('hands its filters and the search to actions on everything', () => {
    expect(filtersOf(indexQuery(state))).toEqual({ filter__status: 'divested', search: 'oak' })
  })

  it('sorts upward, then downward, then as usual', () => {
    expect(nextSort(readListState({}), 'name')).toEqual({ sort: 'name', order: 'asc' })
    expect(nextSort(readListState({ sort: 'name', order: 'asc' }), 'name')).toEqual({ sort: 'name', order: 'desc' })
    expect(nextSort(readListState({ sort: 'name', order: 'desc' }), 'name')).toEqual({ sort: null, order: 'desc' })
  })
})

describe('what stands under and above a list', () => {
  it('says which rows are shown', () => {
    expect(rangeText(1, 15, 8645)).toBe('1 to 15 of 8,645')
    expect(rangeText(null, null, 0)).toBe('0 of 0')
  })

  it('offers the pages around the current one', () => {
    expect(pageNumbers(1, 4)).toEqual([1, 2, 3, 4])
    expect(pageNumbers(20, 577)).toEqual([1, null, 19, 20, 21, null, 577])
    expect(pageNumbers(1, 577)).toEqual([1, 2, null, 577])
  })

  it('says filters in words', () => {
    const known = [
      { name: 'state', label: 'State', type: 'multiselect' as const, options: [{ value: 'TX', label: 'Texas' }], default: null },
    ]
    expect(filterChips({ state: 'TX,ZZ', has_documents: '1' }, known)).toEqual([
      { name: 'state', label: 'State', words: 'Texas, ZZ' },
      { name: 'has_documents', label: 'Has documents', words: '1' },
    ])
    expect(filterChips({ discrepancy: 'x' }, known, () => ({ label: 'Finding', words: 'No values' }))).toEqual([
      { name: 'discrepancy', label: 'Finding', words: 'No values' },
    ])
  })

  it('opens the menu of the last three rows upward', () => {
    expect([11, 12, 13, 14].map((index) => opensUpward(index, 15))).toEqual([false, true, true, true])
    expect(opensUpward(1, 2)).toBe(false)
  })

  it('draws only the rows near the view of a long list', () => {
    expect(rowWindow(100, 0, 800)).toEqual({ first: 0, end: 100, beforePx: 0, afterPx: 0 })
    const shown = rowWindow(9_999, 40 * 5_000, 800)
    expect(shown.end - shown.first).toBeLessThan(70)
    expect(shown.beforePx + (shown.end - shown.first) * 40 + shown.afterPx).toBe(9_999 * 40)
  })
})
