import { useHotkeys, useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useCan } from '#web/data/session.ts'
import { useSearchParams } from '#web/search-params.ts'
import { createStore, useStore } from '#web/ui/store.ts'

/** Narrower windows have no room for a list and a preview next to each other. */
const BESIDE_FROM = '(min-width: 1200px)'

export const useIsWide = (): boolean => useMediaQuery(BESIDE_FROM, false, { getInitialValueInEffect: false })

/** Where the documents tab shows the opened document, next to its list; null while there is no such place. */
export const documentPane = createStore<HTMLElement | null>(null)

/**
 * Where the opened document is: the place next to the list, or a panel. While a wide window still loads the list, it is nowhere yet: it
 * would begin as a panel and then move.
 */
export function usePlace(): { pane: HTMLElement | null; isWaiting: boolean } {
  const isWide = useIsWide()
  const shown = useStore(documentPane)
  const pane = isWide ? shown : null
  const { tab = 'files' } = useSearchParams()
  const hasList = useCan()('view_account_files') && tab !== 'overview' && tab !== 'properties'
  return { pane, isWaiting: isWide && hasList && pane === null }
}

/**
 * An element for the content of the document that is the same in both places: when the width of the window moves it from one to the other,
 * nothing that the user entered is lost, and the focus comes along. `attach` is the ref of the place.
 */
export function useMovableContent() {
  const [content] = useState(() => document.createElement('div'))
  const focused = useRef<Element>(null)
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => (focused.current = target instanceof Element ? target : null)
    content.addEventListener('focusin', remember)
    return () => content.removeEventListener('focusin', remember)
  }, [content])
  const attach = useCallback(
    (place: HTMLElement | null) => {
      place?.append(content)
      const wasInside = place !== null && document.activeElement === document.body && content.contains(focused.current)
      if (wasInside && focused.current instanceof HTMLElement) focused.current.focus({ preventScroll: true })
    },
    [content],
  )
  return { content, attach }
}

const ARROWS = [
  ['ArrowUp', 'previous'],
  ['ArrowLeft', 'previous'],
  ['ArrowDown', 'next'],
  ['ArrowRight', 'next'],
] as const
/** Elements that use the arrow keys themselves, such as fields, menus and scrolled areas. */
const OWN_ARROWS =
  'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="radiogroup"], [role="separator"], [tabindex="0"]:not(button, a)'

/** Moves to the previous and next document with the arrow keys. */
export const useArrowKeys = (step: (to: 'previous' | 'next') => void): void =>
  useHotkeys(
    ARROWS.map(([key, to]) => [key, (event) => stepAlone(event, () => step(to)), { preventDefault: false }]),
    [],
  )

function stepAlone(event: KeyboardEvent, step: () => void): void {
  if (event.defaultPrevented || !(event.target instanceof Element) || event.target.closest(OWN_ARROWS) !== null) return
  event.preventDefault()
  step()
}

/** Closes the document next to its list with Escape, unless that closes a dialog, a menu or the choices of a field. */
export function useEscape(isActive: boolean, close: () => void): void {
  const isLayerOpen = useRef(false)
  // Before the key reaches what it closes.
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && (isLayerOpen.current = hasOpenLayer()), CAPTURE)
  const closeAlone = ({ defaultPrevented }: KeyboardEvent) => isActive && !defaultPrevented && !isLayerOpen.current && close()
  useHotkeys([['Escape', closeAlone, { preventDefault: false }]], [])
}
const CAPTURE = { capture: true }

/** The choices of a field stay in the page, without being shown, while they are closed. */
const hasOpenLayer = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')].some((one) => one.closest(NOT_SHOWN) === null)
const NOT_SHOWN = '[style*="display: none"]'
