import { SegmentedControl } from '@mantine/core'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { gradeOf } from '#contract/checks.ts'
import { formatAmounts, formatDate, formatDateTime, formatMoney, formatNumber, plural } from '#contract/format.ts'
import { DUE_ACCOUNTS_SHOWN_FIRST } from '#contract/limits.ts'
import { DUE_DAYS, type DueSubmission } from '#contract/submissions.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { paths, withQuery } from '#web/paths.ts'
import { moveBetweenRows } from '#web/ui/row-keys.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useDashboardSettings } from './dashboard-settings.ts'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import classes from './due-submissions.module.css'

type Days = keyof typeof DUE_DAYS
const SPANS = [
  { value: '30', label: DUE_DAYS[30] },
  { value: '60', label: DUE_DAYS[60] },
  { value: '90', label: DUE_DAYS[90] },
] as const

/** The accounts in work that are overdue or take effect soon, by effective date, with the state of their data and the next step. */
export function DueSubmissions() {
  const [{ dueDays: days }, save] = useDashboardSettings()
  const query = useQuery(queries.dueSubmissions(days))
  const { data } = query
  const listed = useCan()('view_accounts_component')
  const summary = data !== undefined && data.total > 0 && `${plural(data.total, 'account')}, ${formatAmounts(data.tiv)}`
  return (
    <section className={classes['card']} aria-labelledby="due-submissions">
      <div className={classes['head']}>
        <h2 id="due-submissions">Submissions due</h2>
        <span className={classes['summary']}>
          {summary && (listed ? <Link to={withQuery(paths.accounts(), { filter__attention: `due_${days}` })}>{summary}</Link> : summary)}
        </span>
        <SegmentedControl<Days>
          size="xs"
          aria-label="Effective within"
          value={days}
          onChange={(dueDays) => save({ dueDays })}
          data={[...SPANS]}
        />
      </div>
      <Loaded
        query={query}
        skeleton={<SkeletonRows rows={DUE_ACCOUNTS_SHOWN_FIRST} label="Loading the submissions due" />}
        failure="The submissions due could not be loaded."
      >
        {({ accounts, total }) =>
          accounts.length === 0 ? (
            <p className={classes['none']}>No submission is overdue or takes effect in the next {DUE_DAYS[days]}.</p>
          ) : (
            <DueTable accounts={accounts} total={total} />
          )
        }
      </Loaded>
    </section>
  )
}

/** The accounts shown first, in their order: old overdue ones do not hide those that take effect soon. */
function closest(accounts: readonly DueSubmission[]): DueSubmission[] {
  const byDistance = accounts.toSorted((one, other) => Math.abs(one.days_left) - Math.abs(other.days_left))
  const first = new Set(byDistance.slice(0, DUE_ACCOUNTS_SHOWN_FIRST))
  return accounts.filter((account) => first.has(account))
}

function DueTable({ accounts, total }: { accounts: readonly DueSubmission[]; total: number }) {
  const [all, setAll] = useState(false)
  const shown = all ? accounts : closest(accounts)
  const seesChecks = accounts.some(({ check }) => check !== null)
  const nextStep = useNextSteps()
  const hasSteps = shown.some((account) => nextStep(account) !== null)
  return (
    <>
      <table className={classes['table']}>
        <caption className="visually-hidden">Submissions due</caption>
        <thead>
          <tr>
            <th scope="col">Effective</th>
            <th scope="col">Account</th>
            {seesChecks && (
              <>
                <th scope="col">Score</th>
                <th scope="col">Critical</th>
                <th scope="col">Value at stake</th>
                {hasSteps && <th scope="col">Next step</th>}
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((account) => (
            <DueRow key={account.id} account={account} step={hasSteps ? nextStep(account) : undefined} />
          ))}
        </tbody>
      </table>
      {accounts.length > shown.length && (
        <button type="button" className={classes['more']} onClick={() => setAll(true)}>
          Show {total > accounts.length ? `the first ${formatNumber(accounts.length)}` : `all ${formatNumber(total)}`}
        </button>
      )}
    </>
  )
}

/** @param step null without one, undefined if no account has one and so no column */
function DueRow({ account, step }: { account: DueSubmission; step: Step | null | undefined }) {
  const { id, name, status, effective_date: date, days_left: days, properties, check } = account
  const zone = useSession().auth_user.company.timezone
  return (
    <tr onKeyDown={moveBetweenRows}>
      <td className={classes['when']} data-overdue={days < 0 || undefined}>
        <strong>
          {days < 0 && <IconClock size={14} aria-hidden />} {daysLeft(days)}
        </strong>
        <span>{formatDate(date, zone)}</span>
      </td>
      <td className={classes['account']}>
        <Link to={paths.account(id)} title={name} data-row-control="open">
          {name}
        </Link>
        <span>
          {status !== null && <StatusDot color={status.color || 'var(--line-strong)'} name={status.name} />}
          <span>{plural(properties, 'property', 'properties')}</span>
        </span>
      </td>
      {check !== null && (
        <>
          <CheckCells account={account} check={check} zone={zone} />
          {step !== undefined && (
            <td className={classes['step']}>
              {step !== null && (
                <Link to={step.to}>
                  {step.label} <IconArrowRight size={14} aria-hidden />
                </Link>
              )}
            </td>
          )}
        </>
      )}
    </tr>
  )
}

const daysLeft = (days: number): string =>
  days === 0 ? 'Today' : days === 1 ? 'Tomorrow' : days < 0 ? `${plural(-days, 'day')} ago` : plural(days, 'day')

type Check = NonNullable<DueSubmission['check']>

/** Score, critical properties and their value; a sentence instead while they are not known, and muted while they are of earlier values. */
function CheckCells({ account: { id, properties }, check, zone }: { account: DueSubmission; check: Check; zone: string }) {
  const { state, as_of: asOf, score, critical, value_at_stake: value, currency } = check
  const unknown = (text: string): ReactNode => (
    <td colSpan={3} className={classes['unknown']}>
      {text}
    </td>
  )
  if (properties === 0) return unknown('No properties yet')
  if (asOf === null)
    return unknown(state === 'never' ? 'Not checked yet' : state === 'failed' ? 'The check failed' : 'Waiting to be checked')
  const outdated = state !== 'current'
  const title = `${outdated ? 'Out of date: checked' : 'Checked'} on ${formatDateTime(asOf, zone)}`
  const criticalProperties = activeProperties(id, { filter__severity: 'critical' })
  return (
    <>
      <td className={classes['number']} data-outdated={outdated || undefined} title={title}>
        {outdated && <IconClock size={14} role="img" aria-label="Out of date" />} {score === null ? '–' : formatNumber(score)}{' '}
        <span className={classes['muted']}>{score !== null && gradeOf(score)}</span>
      </td>
      <td className={classes['number']}>
        {critical === 0 ? (
          <span className={classes['muted']}>0</span>
        ) : (
          <Link
            to={criticalProperties}
            className={classes['critical'] ?? ''}
            aria-label={`${plural(critical, 'critical property', 'critical properties')}`}
          >
            <SeverityShape severity="critical" size={12} /> {formatNumber(critical)}
          </Link>
        )}
      </td>
      <td className={classes['number']}>
        {critical === 0 ? <span className={classes['muted']}>–</span> : value === 0 ? '–' : formatMoney(value, currency)}
      </td>
    </>
  )
}

const activeProperties = (id: string, filters: Record<string, string>) =>
  withQuery(paths.account(id), { tab: 'properties', filter__status: 'active', ...filters })

interface Step {
  label: string
  to: string
}

/** Of an account, the first thing that is missing and that the user can do, and the place where it is done; null if there is none. */
function useNextSteps(): (account: DueSubmission) => Step | null {
  const can = useCan()
  return ({ id, properties, documents, check }) => {
    if (properties === 0) return can('bulk_upload_account_properties') ? { label: 'Import properties', to: paths.import(id) } : null
    if (check === null) return null
    const { state, critical, open, schedule_warnings: warnings } = check
    const checks = can('resolve_discrepancies')
    const reviews = checks && can('view_account_properties')
    if (state === 'never' && checks) return { label: `Check ${plural(properties, 'property', 'properties')}`, to: paths.account(id) }
    if (state === 'failed' && checks) return { label: 'Retry the check', to: paths.account(id) }
    if (critical > 0 && reviews)
      return { label: `Review ${formatNumber(critical)} critical`, to: activeProperties(id, { filter__severity: 'critical' }) }
    if (documents === 0 && can('upload_account_files')) return { label: 'Upload documents', to: paths.upload(id) }
    if (open > 0 && reviews)
      return { label: `Review ${formatNumber(open)} open`, to: activeProperties(id, { filter__has_discrepancy: '1' }) }
    if (warnings > 0 && reviews) return { label: `Review ${plural(warnings, 'schedule warning')}`, to: paths.account(id) }
    return null
  }
}
