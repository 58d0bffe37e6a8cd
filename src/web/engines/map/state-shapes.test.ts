import { expect, test } from 'vitest'
import type { MapMarker } from '#contract/map.ts'
import type { States } from './base-map-data.ts'
import { outsideText } from './state-shapes.ts'

const square = (west: number, south: number) => [
  [west, south],
  [west + 10, south],
  [west + 10, south + 10],
  [west, south + 10],
  [west, south],
]
const area = (name: string, west: number, south: number): States['areas']['features'][number] => ({
  type: 'Feature',
  properties: { name },
  geometry: { type: 'Polygon', coordinates: [square(west, south)] },
})
const STATES: States = {
  areas: { type: 'FeatureCollection', features: [area('Alaska', -160, 60), area('Hawaii', -160, 20), area('Kansas', -100, 35)] },
  names: { type: 'FeatureCollection', features: [] },
}
const at = (lng: number, lat: number): MapMarker => ({
  position: { lng, lat },
  info: { id: '', property_name: '', address: '', address_2: '', meta: [] },
})
/** Shows what is east of 110 degrees west. */
const east = (lng: number) => ({ x: lng > -110 ? 200 : -1, y: 200 })

const alaska = Array.from({ length: 37 }, () => at(-155, 65))
const hawaii = Array.from({ length: 5 }, () => at(-155, 25))
const sea = Array.from({ length: 3 }, () => at(-130, 45))

test.each([
  ['several places', [at(-95, 40), ...hawaii, ...alaska, ...sea], STATES, '45 not in view: Alaska 37, others 8'],
  ['one state', [at(-95, 40), ...alaska], STATES, '37 not in view: Alaska 37'],
  ['no state', [at(-95, 40), ...sea], STATES, '3 not in view'],
  ['states that are not loaded', [at(-95, 40), ...alaska], undefined, '37 not in view'],
  ['nothing', [at(-95, 40)], STATES, null],
])('the map names where most of what it does not show is: %s', (_what, markers, states, text) => {
  expect(outsideText(markers, east, states)).toBe(text)
})
