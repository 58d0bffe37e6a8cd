import { Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { isPropertyField, type PropertyRow } from '#contract/account-properties.ts'
import { SEVERITIES, SEVERITY_LABELS, gradeOf } from '#contract/checks.ts'
import { formatPropertyValue } from '#contract/property-format.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import classes from './property-cells.module.css'
import { formatSource } from './property-labels.ts'

interface HoverNoteProps {
  note: ReactNode
  /** Accessible name, for content that is only a shape. */
  label?: string
  className?: string | undefined
  children: ReactNode
}

const HOVER_MS = 250

/** A note on hover and on focus. The tooltip is mounted only while it is visible, because a table can contain hundreds. */
export function HoverNote({ note, label, className, children }: HoverNoteProps) {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const timer = useRef<number>(undefined)
  const show = (event: SyntheticEvent<HTMLElement>) => setTarget(event.currentTarget)
  // Not for a pointer that only passes by.
  const showLater = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    timer.current = window.setTimeout(() => setTarget(currentTarget), HOVER_MS)
  }
  const hide = () => {
    window.clearTimeout(timer.current)
    setTarget(null)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return (
    <button
      type="button"
      className={`${classes['noted'] ?? ''} ${className ?? ''}`}
      aria-label={label}
      aria-describedby={target === null ? undefined : id}
      onMouseEnter={showLater}
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

interface FindingMarkProps {
  findings: Findings
  /** Of discrepancies of the property; empty if it has none of its own. */
  count?: string
  /** How many it has of the whole schedule, shown if it has none of its own. */
  ofSchedule?: number | null | undefined
  /** Whose discrepancies these are. */
  propertyId: string
}

/** The shape of the worst discrepancy. On hover and focus, a card shows the messages and where the values come from. */
export function FindingMark({ findings, count, ofSchedule, propertyId }: FindingMarkProps) {
  const worst = SEVERITIES.findLast((severity) => findings.some((finding) => finding.severity === severity))
  if (worst === undefined) return null
  const messages = findings.map((finding) => `${SEVERITY_LABELS[finding.severity]}: ${finding.message}`)
  const counted = [count, ofSchedule ? `${ofSchedule} of the whole schedule` : ''].filter(Boolean).join(' and ')
  return (
    <HoverNote
      label={[...(counted === '' ? [] : [`${counted}:`]), ...messages].join(' ')}
      note={<FindingCard findings={findings} ofSchedule={ofSchedule} propertyId={propertyId} />}
      className={classes['finding']}
    >
      <SeverityShape severity={worst} size={11} />
      {count === '' && ofSchedule ? <span className={classes['ofSchedule']}>+{ofSchedule}</span> : count}
    </HoverNote>
  )
}

/** The value and its source are loaded while the card is open: the list doesn't contain them. */
function FindingCard({ findings, ofSchedule, propertyId }: Omit<FindingMarkProps, 'count'>) {
  const { data: property } = useQuery(queries.property(propertyId))
  const zone = useSession().auth_user.company.timezone
  const more = findings.length - MAX_MESSAGES
  const sourceOf = (field: string | null) => (field === null ? undefined : property?.sources[field])
  return (
    <span className={classes['card']}>
      {findings.slice(0, MAX_MESSAGES).map(({ field, severity, message }) => {
        const source = sourceOf(field)
        const value = field !== null && isPropertyField(field) && property ? formatPropertyValue(field, property.values[field]) : ''
        return (
          <span key={`${field ?? ''} ${message}`}>
            <span>
              {SEVERITY_LABELS[severity]}: {message}
            </span>
            {source !== undefined && (
              <small>
                {value === '' ? '' : `${value}, `}
                {formatSource(source, zone)}
              </small>
            )}
          </span>
        )
      })}
      {more > 0 && <span>and {more} more</span>}
      {ofSchedule ? <small>Of the whole schedule: {ofSchedule}</small> : null}
    </span>
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
