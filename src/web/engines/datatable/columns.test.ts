import { describe, expect, it } from 'vitest'
import type { Column } from '#contract/datatable.ts'
import { columnWidths, isElastic, orderedColumns } from './columns.ts'

const date: Column = {
  src: 'updated_at',
  label: 'Updated',
  sort: 'updated_at',
  sortable: true,
  primary: false,
  disabled: false,
  default: true,
  width: 104,
  classes: 'date',
  icon_only: false,
}

it('makes a column of dates wide enough for the widest one, "Nov 30, 2026" in Inter, and the space around it', () => {
  const widthOf = (dense: boolean) => columnWidths([date], { dense, hasActions: true, chosen: {} })[0]
  expect(widthOf(false)).toBeGreaterThanOrEqual(94 + 2 * 10)
  expect(widthOf(true)).toBeGreaterThanOrEqual(88 + 2 * 6)
})

describe('columns in the order of the user', () => {
  const named = (src: string, primary = false): Column => ({ ...date, src, primary })
  const all = [named('name', true), named('city'), named('year'), named('value')]
  const orderOf = (order: string[] | undefined) => orderedColumns(all, order).map(({ src }) => src)

  it('are those of the server without an order', () => {
    expect(orderOf(undefined)).toEqual(['name', 'city', 'year', 'value'])
    expect(orderOf([])).toEqual(['name', 'city', 'year', 'value'])
  })

  it('have the frozen column first', () => {
    expect(orderOf(['value', 'year', 'city', 'name'])).toEqual(['name', 'value', 'year', 'city'])
  })

  it('have a column that the order does not name behind the one before it', () => {
    expect(orderOf(['value', 'city', 'name'])).toEqual(['name', 'value', 'city', 'year'])
  })

  it('have the primary column anywhere if the list begins with another one', () => {
    const columns = [named('number'), named('name', true), named('city')]
    expect(orderedColumns(columns, ['city', 'number', 'name']).map(({ src }) => src)).toEqual(['city', 'number', 'name'])
  })

  it('leave out columns that the list does not have and repeated ones', () => {
    expect(orderOf(['value', 'roof', 'value', 'city'])).toEqual(['name', 'value', 'city', 'year'])
  })
})

describe('a width that the user has set', () => {
  const free: Column = { ...date, src: 'note', width: null }

  it('is exact, also where a list is dense', () => {
    const widths = columnWidths([date, free], { dense: true, hasActions: false, chosen: { note: 60 } })
    expect(widths[1]).toBe(60)
  })

  it('takes no share of the remaining width', () => {
    expect(isElastic(free, [date, free], {})).toBe(true)
    expect(isElastic(free, [date, free], { note: 60 })).toBe(false)
  })

  it('leaves the remaining width to the primary column if every other width is fixed', () => {
    const primary: Column = { ...date, src: 'name', primary: true }
    expect(isElastic(primary, [primary, date, free], {})).toBe(false)
    expect(isElastic(primary, [primary, date, free], { note: 60 })).toBe(true)
    expect(isElastic(primary, [primary, date, free], { note: 60, name: 200 })).toBe(false)
  })
})
