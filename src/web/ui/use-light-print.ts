import { useEffect } from 'react'

const SCHEME = 'data-mantine-color-scheme'

/** Prints in the colors of the light scheme: paper is white, and a dark page would use up the ink. */
export function useLightPrint(): void {
  useEffect(() => {
    const root = document.documentElement
    let chosen: string | null = null
    const lighten = () => {
      chosen = root.getAttribute(SCHEME)
      root.setAttribute(SCHEME, 'light')
    }
    const restore = () => {
      if (chosen !== null) root.setAttribute(SCHEME, chosen)
    }
    window.addEventListener('beforeprint', lighten)
    window.addEventListener('afterprint', restore)
    return () => {
      window.removeEventListener('beforeprint', lighten)
      window.removeEventListener('afterprint', restore)
    }
  }, [])
}
