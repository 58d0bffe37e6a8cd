/** The colours of the map, taken from the theme as it stands: the canvas cannot read CSS variables itself. */
export interface MapPalette {
  sea: string
  land: string
  border: string
  name: string
  mark: string
  markEdge: string
  markText: string
}

export function readPalette(element: HTMLElement): MapPalette {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    sea: read('--surface-sunken'),
    land: read('--surface'),
    border: read('--line-strong'),
    name: read('--muted'),
    mark: read('--ink'),
    markEdge: read('--surface'),
    markText: read('--surface'),
  }
}
