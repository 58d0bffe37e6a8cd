import { useEffect, useState } from 'react'

/**
 * Returns the focus to what opened a panel, dialog or menu, also when a route change closes it.
 * @param given the opener, where it is not what has the focus when the component is mounted
 */
export function useReturnedFocus(given?: HTMLElement): void {
  const [opener] = useState(() => given ?? document.activeElement)
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
