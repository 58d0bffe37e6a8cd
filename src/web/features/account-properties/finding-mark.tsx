import type { PropertyRow } from '#contract/account-properties.ts'
import { SEVERITIES, SEVERITY_LABELS, type Severity } from '#contract/checks.ts'
import { HoverNote } from './hover-note.tsx'
import classes from './finding-mark.module.css'

export type RowFinding = PropertyRow['findings'][number]

/** Each severity has a shape of its own beside its colour. */
const SHAPES = {
  critical: 'M6 0 12 6 6 12 0 6Z',
  warning: 'M6 0.5 12 11.5 0 11.5Z',
  info: 'M6 0a6 6 0 1 0 0 12A6 6 0 0 0 6 0Z',
} as const satisfies Record<Severity, string>

export function SeverityShape({ severity }: { severity: Severity }) {
  return (
    <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden className={classes[severity]}>
      <path d={SHAPES[severity]} fill="currentColor" />
    </svg>
  )
}

export const worstOf = (findings: readonly { severity: Severity }[]): Severity | undefined =>
  SEVERITIES.findLast((severity) => findings.some((finding) => finding.severity === severity))

const MOST_SENTENCES = 6

/** What is wrong, at the place it is about: the sentences show on hover and focus. */
export function FindingMark({ findings, count }: { findings: readonly RowFinding[]; count?: string }) {
  const worst = worstOf(findings)
  if (worst === undefined) return null
  const sentences = findings.map((finding) => `${SEVERITY_LABELS[finding.severity]}: ${finding.message}`)
  const more = sentences.length - MOST_SENTENCES
  return (
    <HoverNote
      label={[...(count === undefined ? [] : [`${count}:`]), ...sentences].join(' ')}
      note={[...sentences.slice(0, MOST_SENTENCES), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')}
      className={classes['mark']}
    >
      <SeverityShape severity={worst} />
      {count}
    </HoverNote>
  )
}
