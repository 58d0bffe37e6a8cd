import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CHECKS } from '#contract/checks.ts'
import { ALL_FLAG_REASONS, FLAG_REASONS, OPEN_FLAG_STATUSES, type FlagGroups, type FlagOrigin } from '#contract/flags.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { queries } from '#web/data/queries.ts'
import { useListAddress, type ListState } from '#web/engines/datatable/list-address.ts'
import { paths, withQuery } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import classes from './flags.module.css'

/** The value of the filter by status for flags that are to be decided. */
export const OPEN = OPEN_FLAG_STATUSES.join(',')
const PEOPLE: FlagOrigin = 'people'
const AUTOMATIC: FlagOrigin = 'system'
const EVERYONE = `${PEOPLE},${AUTOMATIC}` satisfies `${FlagOrigin},${FlagOrigin}`

type Filters = ListState['filters']

/** Who raised the flags that the list shows. A filter by check or reason looks for flags of any origin. */
export const originIn = ({ origin, check, reason }: Filters): string =>
  origin ?? (check === undefined && reason === undefined ? PEOPLE : EVERYONE)

/** No flag of a user is about a check, or has a reason of the system. */
const withoutSystem = ({ reason = '' }: Filters): Filters => ({ check: '', reason: Object.hasOwn(FLAG_REASONS, reason) ? reason : '' })

export function OriginTabs() {
  const { state, change } = useListAddress()
  const { data } = useQuery(queries.flagGroups())
  const chosen = originIn(state.filters)
  const automatic = data === undefined ? 'Automatic' : `Automatic (${formatNumber(data.total)})`
  return (
    <SegmentedControl
      size="sm"
      aria-label="Who raised the flags"
      value={chosen}
      onChange={(origin) => change({ filters: { ...state.filters, origin, ...(origin === PEOPLE ? withoutSystem(state.filters) : {}) } })}
      data={[
        { value: PEOPLE, label: 'People' },
        { value: AUTOMATIC, label: automatic },
        { value: EVERYONE, label: 'Everyone' },
      ]}
    />
  )
}

type Group = FlagGroups['groups'][number]

const nameOf = ({ check, reason }: Group): string => (check === null ? ALL_FLAG_REASONS[reason] : CHECKS[check].name)
const filterOf = ({ check, reason }: Group) => (check === null ? { filter__reason: reason } : { filter__check: check })

/** The open automatic flags in one line for each check, which opens these flags. */
export function AutomaticFlags() {
  const { state } = useListAddress()
  const { data } = useQuery(queries.flagGroups())
  const { status = OPEN, check, reason } = state.filters
  if (originIn(state.filters) !== AUTOMATIC || status !== OPEN || data === undefined || data.groups.length === 0) return null
  return (
    <nav aria-label="Automatic flags by check">
      <ul className={classes['groups']}>
        {data.groups.map((group) => (
          <li key={nameOf(group)}>
            <Link
              to={withQuery(paths.flags(), { filter__origin: AUTOMATIC, ...filterOf(group) })}
              className={classes['group']}
              aria-current={(group.check ?? group.reason) === (check ?? reason) ? 'true' : undefined}
            >
              <b>{plural(group.count, 'property', 'properties')}</b> {nameOf(group)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Instead of the rows of a list that shows no flag by people. */
export function NoFlags() {
  const { change } = useListAddress()
  const total = useQuery(queries.flagGroups()).data?.total ?? 0
  const showAll = total > 0 && (
    <Button variant="default" onClick={() => change({ filters: { origin: AUTOMATIC } })}>
      Show {plural(total, 'automatic flag')}
    </Button>
  )
  return (
    <EmptyState title="No flag by a person is open." action={showAll || undefined}>
      Flag a property, document or report on its page.
    </EmptyState>
  )
}
