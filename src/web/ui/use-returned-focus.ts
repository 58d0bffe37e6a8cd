import { useEffect, useState } from 'react'

/** Returns the focus to the element that opened a panel or dialog, also when a route change closes it. */
export function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // Later, because the focus trap is still active during the cleanup.
      setTimeout(() => {
        if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body)
          opener.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
