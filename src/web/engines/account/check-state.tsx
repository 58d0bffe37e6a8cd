import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CheckState } from '#contract/checks.ts'
import { formatDateTime, formatNumber, formatProgress } from '#contract/format.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useIsGuest, useSession } from '#web/data/session.ts'
import { staleChecks } from '#web/data/staleness.ts'
import classes from './check-state.module.css'

/**
 * Whether the discrepancies of the account are those of its present values; undefined while that is not known. Polls during a check. The
 * state of a finished check arrives before what it found: until that is on screen, the check counts as running.
 */
export function useCheckState(accountId: string): CheckState | undefined {
  const enabled = useCan()('view_account_reconciliation_metric')
  // No events reach people from outside, so that each list and panel reads the state again.
  const fresh = useIsGuest() ? { staleTime: 0 } : {}
  const { data } = useQuery({ ...queries.checkState(accountId), ...fresh, enabled })
  const [shown, setShown] = useState({ accountId, asOf: data?.as_of })
  const finished = data?.as_of
  const isFirst = shown.accountId !== accountId || shown.asOf === undefined
  if (isFirst && finished !== undefined) setShown({ accountId, asOf: finished })
  const isBehind = !isFirst && finished !== undefined && finished !== shown.asOf
  useEffect(() => {
    if (!isBehind) return undefined
    let isLatest = true
    void staleChecks(accountId).then(() => {
      if (isLatest) setShown({ accountId, asOf: finished })
    })
    return () => {
      isLatest = false
    }
  }, [accountId, finished, isBehind])
  return isBehind && data?.state === 'current' ? { ...data, state: 'running', as_of: shown.asOf ?? null } : data
}

/** "Checked on Nov 22, 2026, 9:30 AM", or what is missing for such a statement, with the progress of a running check. */
export function CheckStateLine({ state }: { state: CheckState }) {
  const zone = useSession().auth_user.company.timezone
  const mayCheck = useCan()('resolve_discrepancies')
  const percent = percentOf(state)
  return (
    <div className={classes['state']} data-state={state.state} role="status">
      <span>{sentenceOf(state, zone, mayCheck)}</span>
      {percent !== undefined && (
        <>
          <Progress value={percent} size={4} className={classes['bar'] ?? ''} aria-label="Progress of the check" />
          <span className="tabular">{percent}%</span>
        </>
      )}
    </div>
  )
}

/** The same for the line of a toolbar, which must not wrap: in a few words, with the sentence as its title and for screen readers. */
export function CheckStateNote({ state }: { state: CheckState }) {
  const zone = useSession().auth_user.company.timezone
  const mayCheck = useCan()('resolve_discrepancies')
  const sentence = sentenceOf(state, zone, mayCheck)
  const percent = percentOf(state)
  return (
    <span className={classes['note']} data-state={state.state} role="status" title={sentence}>
      <span aria-hidden>
        {shortTextOf(state)}
        {percent === undefined ? '' : `, ${percent}%`}
      </span>
      <span className="visually-hidden">{sentence}</span>
    </span>
  )
}

function shortTextOf({ state, as_of }: CheckState): string {
  const texts: Record<CheckState['state'], string> = {
    current: 'Checked',
    nothing_to_check: 'Nothing to check',
    never: 'Not checked yet',
    waiting: as_of === null ? 'Not checked yet' : 'Out of date',
    running: 'Checking',
    failed: 'Check failed',
  }
  return texts[state]
}

const percentOf = ({ state, done, total }: CheckState): number | undefined =>
  state === 'running' && done !== null && total !== null && total > 0 ? formatProgress((100 * done) / total) : undefined

function sentenceOf({ state, as_of, total }: CheckState, zone: string, mayCheck: boolean): string {
  const time = as_of === null ? undefined : formatDateTime(as_of, zone)
  const discrepancies = time === undefined ? '' : ` The discrepancies are of ${time}.`
  switch (state) {
    case 'current':
      return `Checked on ${time ?? ''}`
    case 'nothing_to_check':
      return 'There are no active properties to check.'
    case 'never':
      return 'Not checked yet.'
    case 'waiting':
      return time === undefined ? 'Waiting to be checked.' : `Changed since the last check; the next one follows shortly.${discrepancies}`
    case 'running':
      return `Checking ${total === null ? '' : `${formatNumber(total)} `}${total === 1 ? 'property' : 'properties'}.${discrepancies}`
    case 'failed':
      return `The last check failed.${mayCheck ? ' Start it again with "Check again".' : ''}${discrepancies}`
  }
}
