import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { MapPalette } from './map-palette.ts'
import type { States } from './us-states.ts'

/** Drawn by the browser itself, so that no server of letter shapes is asked. */
export const FONT = ['Inter Variable']
const NAMES_FROM_ZOOM = 2.5
const TILE_PX = 256

/** The own base map: the states with their names, above the operator's picture tiles where some are configured. */
export function baseStyle(states: States, palette: MapPalette, tileUrl: string): StyleSpecification {
  const pictures = tileUrl !== ''
  return {
    version: 8,
    sources: {
      states: { type: 'geojson', data: states.areas, attribution: 'State lines: US Census Bureau' },
      names: { type: 'geojson', data: states.names },
      ...(pictures ? { tiles: { type: 'raster' as const, tiles: [tileUrl], tileSize: TILE_PX } } : {}),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': palette.sea } },
      pictures
        ? { id: 'tiles', type: 'raster', source: 'tiles' }
        : { id: 'land', type: 'fill', source: 'states', paint: { 'fill-color': palette.land } },
      { id: 'borders', type: 'line', source: 'states', paint: { 'line-color': palette.border, 'line-width': 1 } },
      ...(pictures ? [] : [stateNames(palette)]),
    ],
  }
}

const stateNames = (palette: MapPalette): LayerSpecification => ({
  id: 'names',
  type: 'symbol',
  source: 'names',
  minzoom: NAMES_FROM_ZOOM,
  layout: { 'text-field': ['get', 'name'], 'text-font': FONT, 'text-size': 12, 'text-max-width': 6 },
  paint: { 'text-color': palette.name, 'text-halo-color': palette.land, 'text-halo-width': 1.2 },
})
