import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import IconHexagonFilled from '@tabler/icons-react/dist/esm/icons/IconHexagonFilled.mjs'
import IconInfoCircleFilled from '@tabler/icons-react/dist/esm/icons/IconInfoCircleFilled.mjs'
import classes from './severity.module.css'

const SEVERITIES = {
  critical: { word: 'Critical', Icon: IconHexagonFilled },
  warning: { word: 'Warning', Icon: IconAlertTriangleFilled },
  info: { word: 'Info', Icon: IconInfoCircleFilled },
  good: { word: 'Good', Icon: IconCircleCheckFilled },
} as const
export type Severity = keyof typeof SEVERITIES

interface SeverityMarkProps {
  severity: Severity
  /** Shape alone, its word only for screen readers: for narrow cells. */
  compact?: boolean
  /** Replaces the word, as "3 critical". */
  children?: string
}

/** How bad something is, by shape, colour and word, never by colour alone. */
export function SeverityMark({ severity, compact = false, children }: SeverityMarkProps) {
  const { word, Icon } = SEVERITIES[severity]
  return (
    <span className={classes['mark']} data-severity={severity}>
      <Icon size={14} aria-hidden />
      <span className={compact ? 'visually-hidden' : undefined}>{children ?? word}</span>
    </span>
  )
}
