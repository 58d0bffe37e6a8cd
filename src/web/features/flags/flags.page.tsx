import { Button, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import IconFlagFilled from '@tabler/icons-react/dist/esm/icons/IconFlagFilled.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import { Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { FLAG_STATUSES, type Flag, type FlagRow, type FlagStatus } from '#contract/flags.ts'
import { SIDEBAR_COLLAPSE_PX } from '#contract/limits.ts'
import { CellText, type CellRenderers } from '#web/engines/datatable/cells.tsx'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { useListAddress } from '#web/engines/datatable/list-address.ts'
import { flaggedRecordPath } from '#web/engines/flags/flagged-record.ts'
import { paths } from '#web/paths.ts'
import button from '#web/ui/collapsing-button.module.css'
import { usePageTitle } from '#web/ui/page-title.ts'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import { AutomaticFlags, NoFlags, OPEN, OriginTabs, originIn } from './automatic-flags.tsx'
import classes from './flags.module.css'

const CLOSED = 'resolved,dismissed' satisfies `${FlagStatus},${FlagStatus}`
const ALL = `${OPEN},${CLOSED}`

const isStatus = (status: string): status is FlagStatus => Object.hasOwn(FLAG_STATUSES, status)

/** The name of a choice of statuses that has no tab; undefined if one of them does not exist. */
function statusNames(statuses: string): string | undefined {
  const names = statuses.split(',')
  return names.every(isStatus) ? names.map((status) => FLAG_STATUSES[status]).join(', ') : undefined
}

function StatusTabs() {
  const { state, change } = useListAddress()
  const chosen = state.filters['status'] ?? OPEN
  const special = [OPEN, CLOSED, ALL].includes(chosen) ? undefined : statusNames(chosen)
  return (
    <SegmentedControl
      size="sm"
      aria-label="Open or closed flags"
      value={chosen}
      onChange={(status) => change({ filters: { ...state.filters, status: status === OPEN ? '' : status } })}
      data={[
        { value: OPEN, label: 'Open' },
        { value: CLOSED, label: 'Closed' },
        { value: ALL, label: 'All' },
        ...(special === undefined ? [] : [{ value: chosen, label: special }]),
      ]}
    />
  )
}

function MineButton() {
  const { state, change } = useListAddress()
  const pressed = state.filters['mine'] === '1'
  return (
    <Button
      variant={pressed ? 'light' : 'default'}
      aria-pressed={pressed}
      title="Assigned to me"
      className={button['collapsing'] ?? ''}
      leftSection={<IconUserCheck size={16} aria-hidden />}
      onClick={() => change({ filters: { ...state.filters, mine: pressed ? '' : '1' } })}
    >
      Mine
    </Button>
  )
}

/** On a phone they would look like the assignee and the due date. */
const HIDDEN_ON_PHONE = ['raised_by', 'created_at']

const MARK = { marginRight: 6, verticalAlign: -2 }

const phoneCells: CellRenderers<FlagRow> = {
  message: ({ message, flag }) => (
    <>
      {flag.priority === 'high' && <IconFlagFilled size={14} color="var(--critical)" style={MARK} role="img" aria-label="High priority" />}
      {message.text}
    </>
  ),
  due_on: ({ due_on }) =>
    due_on.class === 'overdue' ? (
      <span className={classes['overdue']}>
        <SeverityShape severity="critical" /> <span className="visually-hidden">Overdue:</span> {due_on.text}
      </span>
    ) : (
      <CellText cell={due_on} />
    ),
}

/** On a phone these links would be too close to each other; the panel of the flag has them. */
const cells: CellRenderers<FlagRow> = {
  ...phoneCells,
  account: ({ account, flag }) => <CellText cell={{ ...account, link: paths.account(flag.account_id) }} />,
  record: ({ record, flag }) => <CellText cell={{ ...record, link: flaggedRecordPath(flag) }} />,
}

const RULES: Readonly<Record<string, keyof Flag['accessible_features']>> = {
  acknowledge: 'acknowledge',
  resolve: 'close',
  dismiss: 'close',
  reopen: 'reopen',
}

/** Without a row, for a selection that is not loaded as a whole, the server changes the flags for which the action is possible. */
function appliesTo(action: string, row: FlagRow | null): boolean {
  const rule = RULES[action]
  return rule === undefined || row === null || row.flag.accessible_features[rule]
}

/** The flags of all accounts that the user sees, soonest due first. Closed flags are history, which users open on request. */
export function FlagsPage() {
  usePageTitle('Flags')
  const phone = useMediaQuery(`(max-width: ${SIDEBAR_COLLAPSE_PX - 1}px)`) ?? false
  const origin = originIn(useListAddress().state.filters)
  const presets = useMemo(() => ({ status: OPEN, origin }), [origin])
  return (
    <>
      <AutomaticFlags />
      <Datatable
        model="flags"
        label="flags"
        basePath={paths.flags()}
        openIn="panel"
        presets={presets}
        cells={phone ? phoneCells : cells}
        hiddenOnPhone={HIDDEN_ON_PHONE}
        appliesTo={appliesTo}
        empty={<NoFlags />}
        toolbarStart={
          <div className={classes['tools']}>
            <StatusTabs />
            <OriginTabs />
            <MineButton />
          </div>
        }
      />
      <Outlet />
    </>
  )
}
