import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'

/** From the text to the element that cuts it, such as a cell of a table. */
const MAX_LEVELS = 4

/** Whether the element ends its text with an ellipsis, in one line or after several. */
function isCut(element: Element): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) return true
  return Number(webkitLineClamp) > 0 && element.scrollHeight > element.clientHeight
}

/** The element around the pointed one that cuts its text, unless the browser shows its title. */
function cutAround(pointed: Element): Element | null {
  if (pointed.closest('[title]:not([title=""])') !== null) return null
  let element: Element | null = pointed
  for (let level = 0; element !== null && level < MAX_LEVELS; level++, element = element.parentElement) if (isCut(element)) return element
  return null
}

/** In or around the focused element, whose title the browser doesn't show. */
function cutAtFocus(focused: Element): Element | null {
  if (!focused.matches(':focus-visible, :focus-visible *')) return null
  return [focused, ...focused.querySelectorAll('*'), focused.parentElement].find((element) => element !== null && isCut(element)) ?? null
}

/** Shows any text of the page that is cut by an ellipsis in full, on hover and on focus. A screen reader reads the full text anyway. */
export function CutTextNote() {
  const [cut, setCut] = useState<Element | null>(null)
  useEffect(() => {
    const at = (find: (element: Element) => Element | null) => (event: Event) =>
      setCut(event.target instanceof Element ? find(event.target) : null)
    const onHover = at(cutAround)
    const onPointer = (event: PointerEvent) => event.pointerType !== 'touch' && onHover(event)
    const onFocus = at(cutAtFocus)
    const hide = () => setCut(null)
    document.addEventListener('pointerover', onPointer)
    document.addEventListener('focusin', onFocus)
    for (const event of HIDING) document.addEventListener(event, hide, true)
    return () => {
      document.removeEventListener('pointerover', onPointer)
      document.removeEventListener('focusin', onFocus)
      for (const event of HIDING) document.removeEventListener(event, hide, true)
    }
  }, [])
  if (!(cut instanceof HTMLElement) || !cut.isConnected) return null
  // Another element has another note, at its place.
  return (
    <Tooltip
      key={cut.textContent}
      opened
      target={cut}
      label={<span aria-hidden>{cut.textContent}</span>}
      position="bottom-start"
      multiline
      maw={420}
    />
  )
}

const HIDING = ['focusout', 'keydown', 'scroll', 'pointerdown'] as const
