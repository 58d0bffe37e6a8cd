import { FocusTrap } from '@mantine/core'
import { productName } from '#web/data/product.ts'
import { Mark } from '#web/ui/mark.tsx'
import classes from './overlay.module.css'

/** While the session loads. */
export function InitialisingOverlay() {
  return (
    <div className={classes['overlay']} role="status">
      <Mark size={56} swinging />
      <p className={classes['text']}>Initializing {productName()} systems, please stand by.</p>
    </div>
  )
}

/** While the service cannot be reached; what is on the page stays underneath. */
export function ConnectionErrorOverlay() {
  return (
    <FocusTrap active>
      <div
        className={`${classes['overlay'] ?? ''} ${classes['over'] ?? ''}`}
        role="alertdialog"
        aria-modal="true"
        aria-label="Connection Error"
        tabIndex={-1}
        data-autofocus
      >
        <Mark size={56} swinging />
        <p className={classes['text']}>Connection Error - Please check your internet connection. Attempting to reconnect...</p>
      </div>
    </FocusTrap>
  )
}
