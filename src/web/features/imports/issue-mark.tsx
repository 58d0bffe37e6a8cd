import IconAlertOctagon from '@tabler/icons-react/dist/esm/icons/IconAlertOctagon.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import classes from './issue-mark.module.css'

/** An issue by shape, word and sentence. */
export function IssueMark({ severity, message }: { severity: 'error' | 'warning'; message: string }) {
  const Shape = severity === 'error' ? IconAlertOctagon : IconAlertTriangle
  return (
    <div className={classes['mark']} data-severity={severity}>
      <Shape size={16} aria-hidden />
      <span>
        <strong>{severity === 'error' ? 'Error' : 'Warning'}:</strong> {message}
      </span>
    </div>
  )
}
