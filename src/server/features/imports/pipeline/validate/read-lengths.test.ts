import { expect, test } from 'vitest'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'
import type { FilledCell } from './results.ts'

const read = (field: PropertyFieldName, header: string, cell: FilledCell) =>
  readCell(cell, field, columnStyle(normalizeHeader(header), [], SETTINGS)).value

test.each<[PropertyFieldName, string, FilledCell, number | null]>([
  ['distance_to_coast_miles', 'Distance to Coast (km)', 10, 6.21],
  ['distance_to_coast_miles', 'Distance to Coast', 10, 10],
  ['distance_to_coast_miles', 'Miles to coast', 10, 10],
  ['distance_to_coast_miles', 'Distance to Coast (km)', '10 mi', 10],
  ['distance_to_coast_miles', 'Distance to coast', '16.1 km', 10],
  ['hydrant_distance_ft', 'Hydrant distance (m)', 100, 328.08],
  ['hydrant_distance_ft', 'Hydrant distance (ft)', 100, 100],
  ['hydrant_distance_ft', 'Hydrant', '150 m', 492.13],
  ['hydrant_distance_ft', 'Hydrant', '150 yds', 450],
  ['fire_station_miles', 'Fire Station (km)', '8', 4.97],
  ['fire_station_miles', 'Fire station', '2,640 ft', 0.5],
  ['fire_station_miles', 'Distance to fire station (ft)', 26_400, 5],
  ['first_floor_height_ft', 'First floor height (m)', 1.2, 3.94],
  ['first_floor_height_ft', 'First floor height', "3'", 3],
  ['hydrant_distance_ft', 'Hydrant', 'near', null],
  ['units', '# Units (m)', 5, 5],
])('%s below “%s”: %s is %s', (field, header, cell, value) => expect(read(field, header, cell)).toBe(value))
