import { gradeOf } from '#contract/checks.ts'
import classes from './quality-bar.module.css'

const TONES = { A: 'good', B: 'good', C: 'warning', D: 'warning', F: 'critical' } as const

/** The data quality score of a property, 0 to 100, with its grade. */
export function QualityBar({ score }: { score: number | null }) {
  if (score === null) return <span className={classes['none']}>Not checked</span>
  const grade = gradeOf(score)
  return (
    <span className={classes['root']}>
      <span className={classes['track']} aria-hidden>
        <span className={classes[TONES[grade]]} style={{ width: `${score}%` }} />
      </span>
      {Math.round(score)} {grade}
    </span>
  )
}
