import { FocusTrap } from '@mantine/core'
import { productName } from '#web/data/product.ts'
import { PendingScreen } from '#web/ui/pending-screen.tsx'

/** While the session loads. */
export const InitialisingOverlay = () => <PendingScreen>{`Initializing ${productName()} systems, please stand by.`}</PendingScreen>

/** While the service cannot be reached; what is on the page stays underneath. */
export function ConnectionErrorOverlay() {
  return (
    <FocusTrap active>
      <PendingScreen kind="overlay" role="alertdialog" aria-modal="true" aria-label="Connection Error" tabIndex={-1} data-autofocus>
        Connection Error - Please check your internet connection. Attempting to reconnect...
      </PendingScreen>
    </FocusTrap>
  )
}
