import { expect, it } from 'vitest'
import { propertyDatatable } from './properties.datatable.ts'

const shown = [...propertyDatatable.entries].filter(([, column]) => column.default !== false).map(([name]) => name)

it('the list of properties begins with number, place and values, before discrepancies and building', () => {
  expect(shown.slice(0, 10)).toEqual([
    'location_number',
    'address',
    'city',
    'state',
    'building_value',
    'contents_value',
    'bi_value',
    'tiv',
    'discrepancies',
    'quality_score',
  ])
})
