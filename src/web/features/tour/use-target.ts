import { useLayoutEffect, useState } from 'react'

export type Place = Pick<DOMRect, 'top' | 'left' | 'width' | 'height'>

const MARGIN_PX = 6

/** Where the element of a step is on the screen, scrolled into view; null if this width or tab does not show it. */
export function useTarget(name: string | undefined): Place | null {
  const [place, setPlace] = useState<Place | null>(null)
  useLayoutEffect(() => {
    let frame = 0
    let isScrolled = false
    const follow = () => {
      const element = name === undefined ? null : document.querySelector(`[data-tour="${name}"]`)
      const box = element?.getBoundingClientRect()
      if (element === null || box === undefined || box.width === 0) setPlace(null)
      else {
        if (!isScrolled) element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        isScrolled = true
        setPlace((before) => samePlace(before, around(element.getBoundingClientRect())))
      }
      frame = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(frame)
  }, [name])
  return place
}

const around = ({ top, left, width, height }: DOMRect): Place => ({
  top: top - MARGIN_PX,
  left: left - MARGIN_PX,
  width: width + 2 * MARGIN_PX,
  height: height + 2 * MARGIN_PX,
})

/** The same object while nothing moved, so that nothing renders again. */
const samePlace = (before: Place | null, now: Place): Place =>
  before !== null && before.top === now.top && before.left === now.left && before.width === now.width && before.height === now.height
    ? before
    : now
