import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'

/** Whether the element ends its text with an ellipsis, in one line or after several. */
function isCut(element: Element): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) return true
  return Number(webkitLineClamp) > 0 && element.scrollHeight > element.clientHeight
}

/** The element under the pointer that cuts its text, also below a link that covers its row, unless the browser shows its title. */
function cutAtPointer({ clientX, clientY, pointerType }: PointerEvent): Element | null {
  if (pointerType === 'touch') return null
  const cut = document.elementsFromPoint(clientX, clientY).find(isCut)
  return cut === undefined || cut.closest('[title]:not([title=""])') !== null ? null : cut
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
    const onMove = (event: PointerEvent) => setCut(cutAtPointer(event))
    const onFocus = ({ target }: Event) => setCut(target instanceof Element ? cutAtFocus(target) : null)
    const hide = () => setCut(null)
    document.addEventListener('pointermove', onMove)
    document.addEventListener('focusin', onFocus)
    for (const event of HIDING) document.addEventListener(event, hide, true)
    return () => {
      document.removeEventListener('pointermove', onMove)
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
