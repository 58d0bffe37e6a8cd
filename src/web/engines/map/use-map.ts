import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useState, type RefObject } from 'react'
import { RESIZE_DEBOUNCE_MS } from '#contract/limits.ts'
import { createMap, type MapServices } from './create-map.ts'
import { readPalette } from './map-palette.ts'
import { addPropertyLayers } from './property-layers.ts'

type MapState = { kind: 'loading' } | { kind: 'ready'; map: MapLibre } | { kind: 'failed' }

/** The map of an element, from its first picture until the element goes. */
export function useMap(container: RefObject<HTMLElement | null>, { styleUrl, tileUrl }: MapServices): MapState {
  const [state, setState] = useState<MapState>({ kind: 'loading' })
  useEffect(() => {
    const element = container.current
    if (element === null) return undefined
    let made: MapLibre | undefined
    let gone = false
    const palette = readPalette(element)
    const start = async () => {
      const map = await createMap(element, { styleUrl, tileUrl }, palette)
      if (gone) return map.remove()
      made = map
      map.once('load', () => {
        addPropertyLayers(map, palette)
        setState({ kind: 'ready', map })
      })
    }
    start().catch(() => {
      if (!gone) setState({ kind: 'failed' })
    })
    const stop = followSize(element, () => made?.resize())
    return () => {
      gone = true
      stop()
      made?.remove()
    }
  }, [container, styleUrl, tileUrl])
  return state
}

/** Calls back once the element has kept a new size for a moment. */
function followSize(element: HTMLElement, onSettled: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new ResizeObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(onSettled, RESIZE_DEBOUNCE_MS)
  })
  observer.observe(element)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}
