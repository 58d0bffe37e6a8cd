import { Tooltip } from '@mantine/core'
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react'
import type { PropertyRow } from '#contract/account-properties.ts'
import { SEVERITIES, SEVERITY_LABELS, gradeOf } from '#contract/checks.ts'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import classes from './property-cells.module.css'

interface HoverNoteProps {
  note: string
  /** Accessible name, for content that is only a shape. */
  label?: string
  className?: string | undefined
  children: ReactNode
}

/** A note on hover and on focus. The tooltip is mounted only while it is visible, because a table can contain hundreds. */
export function HoverNote({ note, label, className, children }: HoverNoteProps) {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const show = (event: SyntheticEvent<HTMLElement>) => setTarget(event.currentTarget)
  const hide = () => setTarget(null)
  return (
    <button
      type="button"
      className={`${classes['noted'] ?? ''} ${className ?? ''}`}
      aria-label={label}
      aria-describedby={target === null ? undefined : id}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onClick={show}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {target !== null && (
        <Tooltip opened target={target} label={<span id={id}>{note}</span>} className={classes['note'] ?? ''} position="bottom-start" />
      )}
    </button>
  )
}

/** Those that the viewer sees; none for viewers who cannot see discrepancies. */
export type Findings = NonNullable<PropertyRow['findings']>

/** The severity that a cell is tinted for: remarks have no tint. */
export const tintOf = (findings: Findings): 'critical' | 'warning' | undefined =>
  (['critical', 'warning'] as const).find((severity) => findings.some((finding) => finding.severity === severity))

const MAX_MESSAGES = 6

/** The shape of the worst discrepancy. The messages are shown on hover and focus. */
export function FindingMark({ findings, count }: { findings: Findings; count?: string }) {
  const worst = SEVERITIES.findLast((severity) => findings.some((finding) => finding.severity === severity))
  if (worst === undefined) return null
  const messages = findings.map((finding) => `${SEVERITY_LABELS[finding.severity]}: ${finding.message}`)
  const more = messages.length - MAX_MESSAGES
  return (
    <HoverNote
      label={[...(count === undefined ? [] : [`${count}:`]), ...messages].join(' ')}
      note={[...messages.slice(0, MAX_MESSAGES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')}
      className={classes['finding']}
    >
      <SeverityShape severity={worst} size={11} />
      {count}
    </HoverNote>
  )
}

/** Red is used for critical discrepancies only. */
const GRADE_COLORS = { A: 'good', B: 'good', C: 'fair', D: 'warning', F: 'warning' } as const

/** The data quality score of a property in a narrow column: colored only if it is bad. */
export function QualityGrade({ score }: { score: number | null }) {
  if (score === null) return <span className={classes['notChecked']}>–</span>
  const grade = gradeOf(score)
  return (
    <span className={classes['grade']} data-color={GRADE_COLORS[grade]}>
      {Math.round(score)} <span>{grade}</span>
    </span>
  )
}

/** The data quality score of a property, 0 to 100, with its grade. */
export function QualityBar({ score }: { score: number | null }) {
  if (score === null) return <span className={classes['notChecked']}>Not checked</span>
  const grade = gradeOf(score)
  return (
    <span className={classes['quality']}>
      <span className={classes['track']} aria-hidden>
        <span data-color={GRADE_COLORS[grade]} style={{ width: `${score}%` }} />
      </span>
      {Math.round(score)} {grade}
    </span>
  )
}
