import { useEffect, useState } from 'react'

/** Gives focus back to what had it when a panel or dialog opened, also when it goes because the route changes. */
export function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After it is gone from the page, else its focus trap takes the focus again.
      setTimeout(() => {
        if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body)
          opener.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
