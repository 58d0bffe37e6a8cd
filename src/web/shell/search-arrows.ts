import type { KeyboardEvent } from 'react'

/** Arrow keys go from the field through what was found, and back. */
export function moveWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const stops = [...(event.currentTarget.closest('search')?.querySelectorAll<HTMLElement>('input, a[href]') ?? [])]
  const next = stops[stops.findIndex((stop) => stop === document.activeElement) + step]
  event.preventDefault()
  next?.focus()
}
