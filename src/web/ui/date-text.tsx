import type { ReactNode } from 'react'
import { formatDate, formatExactTime } from '#contract/format.ts'

interface DateTextProps {
  /** A point in time, or a day without a time. */
  iso: string
  /** IANA time zone of the company. */
  zone: string
  /** Replaces the date, for example "5 minutes ago". */
  children?: ReactNode
}

/** A date. Of a point in time, the exact time with its zone shows on hover. */
export const DateText = ({ iso, zone, children }: DateTextProps) => (
  <time dateTime={iso} title={formatExactTime(iso, zone)}>
    {children ?? formatDate(iso, zone)}
  </time>
)
