import { useEffect } from 'react'

const TYPED_INTO = 'input, textarea, select, [contenteditable]'

/** `/` outside of fields and Ctrl or Cmd with K anywhere open the search. */
export function useSearchKeys(open: () => void, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return undefined
    const pressed = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest(TYPED_INTO) !== null
      const slash = event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey
      const command = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!slash && !command) return
      event.preventDefault()
      open()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  })
}
