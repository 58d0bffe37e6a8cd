import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDate, formatExactMoney, plural } from '#contract/format.ts'
import {
  PRIORITIES,
  RECOMMENDATION_CATEGORIES,
  RECOMMENDATION_STATUSES,
  RECOMMENDATION_TYPES,
  isOpen,
  type Recommendation,
} from '#contract/recommendations.ts'
import type { RiskControl } from '#contract/risk-control.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { AnswerDialog } from './answer-dialog.tsx'
import { DueMark } from './due-mark.tsx'
import classes from './report.module.css'

const SEVERITY = { critical: 'critical', important: 'warning', advisory: 'info' } as const
const labelIn = (labels: Readonly<Record<string, string>>, code: string | null) => (code === null ? '' : (labels[code] ?? code))
const day = (date: string) => formatDate(date, 'UTC')

/** The recommendations of a report with their state and what was answered. */
export function Recommendations({ report }: { report: RiskControl }) {
  const { recommendations } = report
  const open = recommendations.filter(({ status }) => isOpen(status)).length
  return (
    <TitledSection title="Recommendations">
      {recommendations.length === 0 ? (
        <p className={classes['quiet']}>This report has no recommendations.</p>
      ) : (
        <>
          <p className={classes['quiet']}>{`${plural(recommendations.length, 'recommendation')}, ${String(open)} open`}</p>
          <ul className={classes['recommendations']}>
            {recommendations.map((one) => (
              <li key={one.id}>
                <Entry one={one} report={report} />
              </li>
            ))}
          </ul>
        </>
      )}
    </TitledSection>
  )
}

function dueText({ due, due_on: date }: Recommendation): string {
  const shown = date === null ? '' : day(date)
  return due === 'overdue' ? `Overdue since ${shown}` : `Due soon, on ${shown}`
}

function Entry({ one, report }: { one: Recommendation; report: RiskControl }) {
  const [answering, setAnswering] = useState(false)
  const mayAnswer = useCan()('respond_risk_control') && report.accessible_features.respond && one.repeated_in === null
  const kind = [labelIn(RECOMMENDATION_CATEGORIES, one.category), labelIn(RECOMMENDATION_TYPES, one.type).toLowerCase()]
  return (
    <article className={classes['entry']} aria-label={`Recommendation ${one.number}`}>
      <div className={classes['entryHead']}>
        <h4>
          <span className={classes['number']}>{one.number}</span> {one.title}
        </h4>
        {mayAnswer && (
          <Button variant="default" size="xs" flex="none" className={classes['noPrint']} onClick={() => setAnswering(true)}>
            Answer
          </Button>
        )}
      </div>
      <p className={classes['marks']}>
        <span className={classes['priority']}>
          <SeverityShape severity={SEVERITY[one.priority]} /> {PRIORITIES[one.priority]}
        </span>
        <strong>{RECOMMENDATION_STATUSES[one.status]}</strong>
        {one.due === null ? (
          isOpen(one.status) && one.due_on !== null && <span>Due {day(one.due_on)}</span>
        ) : (
          <DueMark due={one.due}>{dueText(one)}</DueMark>
        )}
      </p>
      {one.description !== null && <p className={classes['prose']}>{one.description}</p>}
      <p className={classes['facts']}>{factsOf(one, report.currency, kind.filter(Boolean).join(', ')).join(' · ')}</p>
      <Related one={one} report={report} />
      {one.responses.length > 0 && <Responses one={one} />}
      {answering && <AnswerDialog one={one} report={report} onClose={() => setAnswering(false)} />}
    </article>
  )
}

function factsOf(one: Recommendation, currency: string, kind: string): string[] {
  const money = (label: string, amount: number | null) => (amount === null ? '' : `${label} ${formatExactMoney(amount, currency)}`)
  return [
    kind,
    `Issued ${day(one.issued_on)}`,
    one.responsible === null ? '' : `Responsible: ${one.responsible}`,
    money('Cost', one.cost_estimate),
    money('Loss before', one.loss_before),
    money('Loss after', one.loss_after),
    one.completed_on === null ? '' : `Completed ${day(one.completed_on)}`,
    one.verified_on === null ? '' : `Verified ${day(one.verified_on)}${one.verified_by === null ? '' : ` by ${one.verified_by}`}`,
  ].filter((text) => text !== '')
}

/** The reports of the same property that have the recommendation, too. */
function Related({ one, report }: { one: Recommendation; report: RiskControl }) {
  const { account_id: accountId, property_id: propertyId } = report
  return [
    { text: 'First made in', to: one.first_report },
    { text: 'Repeated in', to: one.repeated_in },
  ].map(
    ({ text, to }) =>
      to !== null && (
        <p key={text} className={classes['facts']}>
          {text}{' '}
          <Link to={paths.report(accountId, propertyId, to.id)} search={true}>
            {to.report_number}
          </Link>
        </p>
      ),
  )
}

function Responses({ one }: { one: Recommendation }) {
  const zone = useSession().auth_user.company.timezone
  return (
    <ul className={classes['responses']} aria-label={`Answers to ${one.number}`}>
      {one.responses.map(({ id, at, author, status, due_on: due, text, files }) => (
        <li key={id}>
          <span className={classes['quiet']}>
            <DateText iso={at} zone={zone} /> · {author}
            {status !== null && ` · ${labelIn(RECOMMENDATION_STATUSES, status)}`}
            {due !== null && `, due ${day(due)}`}
          </span>
          {text !== '' && <p className={classes['prose']}>{text}</p>}
          {files.length > 0 && <p className={classes['facts']}>{files.map(({ name }) => name).join(', ')}</p>}
        </li>
      ))}
    </ul>
  )
}
