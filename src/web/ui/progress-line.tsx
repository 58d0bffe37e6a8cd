import { Progress } from '@mantine/core'
import { formatProgress } from '#contract/format.ts'
import classes from './progress-line.module.css'

interface ProgressLineProps {
  /** What is being done, read with the bar. */
  label: string
  /** 0 to 100. */
  percent: number
  /** Beneath the bar: how much of how much. */
  detail?: string
}

/** Real progress of long work: what, how far, how much of how much. */
export function ProgressLine({ label, percent, detail }: ProgressLineProps) {
  const shown = formatProgress(percent)
  return (
    <div className={classes['line']}>
      <div className={classes['head']}>
        <span>{label}</span>
        <span className="tabular">{shown}%</span>
      </div>
      <Progress.Root size={6}>
        <Progress.Section value={shown} aria-label={label} />
      </Progress.Root>
      {detail !== undefined && <span className={classes['detail']}>{detail}</span>}
    </div>
  )
}
