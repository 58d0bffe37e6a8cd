import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCalendarQuestion from '@tabler/icons-react/dist/esm/icons/IconCalendarQuestion.mjs'
import type { AccountFile } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { formatDate, plural } from '#contract/format.ts'
import classes from './documents.module.css'
import { categoryOf } from './file-fields.ts'

const MARKS = {
  stale: { label: 'Out of date', Icon: IconAlertTriangle },
  critical: { label: 'Far out of date', Icon: IconAlertTriangle },
  no_date: { label: 'Date missing', Icon: IconCalendarQuestion },
  unknown: { label: 'Age unknown', Icon: IconCalendarQuestion },
} as const

/** Why the document has its mark, or until when it is current. Null if its category has no rule. */
export function ageText({ age, category, report_author_date: date, current_until: until }: AccountFile): string | null {
  const { staleAfterMonths, criticalAfterMonths, countsToEffectiveDate } = DOCUMENT_CATEGORIES[categoryOf(category) ?? 'other']
  const months = plural(staleAfterMonths ?? 0, 'month')
  if (age === null) return null
  if (age === 'no_date')
    return staleAfterMonths === null
      ? 'Documents of this category need a report date.'
      : 'Without a report date it is not known whether this document is out of date.'
  if (age === 'unknown') return `Compared with the effective date of the account, which is missing. It can be up to ${months} older.`
  if (countsToEffectiveDate)
    return age === 'stale'
      ? `More than ${months} older than the effective date of the account.`
      : `Not more than ${months} older than the effective date of the account.`
  if (age === 'critical') return `More than ${plural(criticalAfterMonths ?? 0, 'month')} old. This category goes stale after ${months}.`
  const day = until === null || date === null ? '' : formatDate(until, 'UTC')
  return age === 'stale' ? `Out of date since ${day}. This category goes stale after ${months}.` : `Current until ${day}.`
}

/** The report date of a document with a mark if it is missing or too old. */
export function ReportDate({ file }: { file: AccountFile }) {
  const { age, report_author_date: date } = file
  const mark = age === null || age === 'current' ? undefined : MARKS[age]
  if (mark === undefined) return date === null ? <span aria-hidden>–</span> : <span>{formatDate(date, 'UTC')}</span>
  const { label, Icon } = mark
  return (
    <span className={classes['age']} data-age={age} title={`${label}. ${ageText(file) ?? ''}`}>
      <Icon size={14} aria-hidden />
      <span>{date === null ? label : formatDate(date, 'UTC')}</span>
      {date !== null && <span className={classes['hiddenText']}>{label}</span>}
    </span>
  )
}
