import { useId, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import classes from './hover-note.module.css'

interface HoverNoteProps {
  note: ReactNode
  /** Read instead of the content, where the content is a shape. */
  label?: string
  className?: string | undefined
  children: ReactNode
}

interface Place {
  left: number
  top: number
  above: boolean
}

const NOTE_PX = 300
const MARGIN_PX = 8

function placeBeside(element: HTMLElement): Place {
  const box = element.getBoundingClientRect()
  const above = box.bottom > window.innerHeight - 120
  return {
    left: Math.max(MARGIN_PX, Math.min(box.left, window.innerWidth - NOTE_PX - MARGIN_PX)),
    top: above ? box.top - 4 : box.bottom + 4,
    above,
  }
}

/** A note on hover and on focus. It exists only while it shows, so that a table may hold hundreds. */
export function HoverNote({ note, label, className, children }: HoverNoteProps) {
  const id = useId()
  const [place, setPlace] = useState<Place | null>(null)
  const show = (element: HTMLElement) => setPlace(placeBeside(element))
  const hide = () => setPlace(null)
  return (
    <button
      type="button"
      className={`${classes['mark'] ?? ''} ${className ?? ''}`}
      aria-label={label}
      aria-describedby={place === null ? undefined : id}
      onMouseEnter={(event) => show(event.currentTarget)}
      onMouseLeave={hide}
      onFocus={(event) => show(event.currentTarget)}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || place === null) return
        event.stopPropagation()
        hide()
      }}
      onClick={(event) => {
        event.stopPropagation()
        show(event.currentTarget)
      }}
    >
      {children}
      {place !== null &&
        createPortal(
          <span
            id={id}
            role="tooltip"
            className={classes['note']}
            data-above={place.above || undefined}
            style={{ left: place.left, top: place.top }}
          >
            {note}
          </span>,
          document.body,
        )}
    </button>
  )
}
