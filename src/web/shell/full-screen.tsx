import { FocusTrap } from '@mantine/core'
import { productName } from '#web/data/session.ts'
import { StandBy } from '#web/ui/stand-by.tsx'

/** While the session loads. */
export const InitializingOverlay = () => <StandBy>{`Initializing ${productName()} systems, please stand by.`}</StandBy>

/** While the service cannot be reached; what is on the page stays underneath. */
export function ConnectionErrorOverlay() {
  return (
    <FocusTrap active>
      <StandBy kind="over" role="alertdialog" aria-modal="true" aria-label="Connection Error" tabIndex={-1} data-autofocus>
        Connection Error - Please check your internet connection. Attempting to reconnect...
      </StandBy>
    </FocusTrap>
  )
}
