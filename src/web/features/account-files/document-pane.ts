import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState, type FocusEvent } from 'react'
import { createStore, useStore } from '#web/ui/store.ts'

/** Narrower windows have no room for a list and a preview next to each other. */
const BESIDE_FROM = '(min-width: 1200px)'

export const useIsWide = (): boolean => useMediaQuery(BESIDE_FROM, false, { getInitialValueInEffect: false })

/** Where the documents tab shows the opened document, next to its list; null while there is no such place. */
export const documentPane = createStore<HTMLElement | null>(null)

/**
 * Where the opened document is: the place next to the list, or null for a panel. A user who enters something keeps the place in which they
 * began, because a form that moves begins again: the list underneath can load later than the document.
 */
export function usePlace() {
  const pane = useStore(documentPane)
  const available = useIsWide() ? pane : null
  const [kept, setKept] = useState<HTMLElement | null>()
  const place = kept === undefined || (kept !== null && kept !== pane) ? available : kept
  const onFocus = ({ target }: FocusEvent) => {
    if (target.matches('input, textarea, select')) setKept(place)
  }
  return { place, onFocus }
}

const STEPS: Readonly<Record<string, 'previous' | 'next'>> = {
  ArrowUp: 'previous',
  ArrowLeft: 'previous',
  ArrowDown: 'next',
  ArrowRight: 'next',
}
/** Elements that use the arrow keys themselves, such as fields, menus and scrolled areas. */
const OWN_ARROWS =
  'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="radiogroup"], [role="separator"], [tabindex="0"]:not(button, a)'

/** Moves to the previous and next document with the arrow keys. */
export function useArrowKeys(step: (to: 'previous' | 'next') => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const to = STEPS[event.key]
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented
    if (to === undefined || isOther || !(event.target instanceof Element) || event.target.closest(OWN_ARROWS) !== null) return
    event.preventDefault()
    step(to)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** Closes the document next to its list with Escape, unless that closes a dialog, a menu or the choices of a field. */
export const useEscape = (isActive: boolean, close: () => void): void =>
  useHotkeys([['Escape', (event) => isActive && closeAlone(event, close), { preventDefault: false }]], [])

function closeAlone({ defaultPrevented }: KeyboardEvent, close: () => void): void {
  if (!defaultPrevented && document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') === null) close()
}
