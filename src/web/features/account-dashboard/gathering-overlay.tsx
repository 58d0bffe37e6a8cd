import { Mark } from '#web/ui/mark.tsx'
import classes from './gathering-overlay.module.css'

/** While the account loads; it appears only when that takes a moment. */
export function GatheringOverlay() {
  return (
    <div className={classes['overlay']} role="status">
      <Mark size={56} swinging />
      <p className={classes['text']}>Please wait while we gather the account data...</p>
    </div>
  )
}
