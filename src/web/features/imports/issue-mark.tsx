import type { IconProps } from '@tabler/icons-react'
import IconAlertOctagon from '@tabler/icons-react/dist/esm/icons/IconAlertOctagon.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { IssueGroup } from '#contract/imports.ts'
import classes from './import-workbench.module.css'

type Severity = IssueGroup['severity']

const severityLabel = (severity: Severity) => (severity === 'error' ? 'Error' : 'Warning')

/** Named by its severity unless it is hidden from screen readers. */
export function IssueIcon({ severity, ...props }: { severity: Severity } & IconProps) {
  const Icon = severity === 'error' ? IconAlertOctagon : IconAlertTriangle
  return <Icon size={16} aria-label={props['aria-hidden'] === true ? undefined : severityLabel(severity)} {...props} />
}

/** An issue with its icon, severity and message. */
export function IssueMark({ severity, message }: { severity: Severity; message: string }) {
  return (
    <div className={classes['issue']} data-severity={severity}>
      <IssueIcon severity={severity} aria-hidden />
      <span>
        <strong>{severityLabel(severity)}:</strong> {message}
      </span>
    </div>
  )
}
