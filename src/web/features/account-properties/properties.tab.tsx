import { Button, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import { useMemo } from 'react'
import type { PropertyRow } from '#contract/account-properties.ts'
import { CHANNELS } from '#contract/events.ts'
import type { Account } from '#contract/accounts.ts'
import { formatMoney, formatNumber } from '#contract/format.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan } from '#web/data/session.ts'
import { CheckStateNote, useCheckState } from '#web/engines/account/check-state.tsx'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { useListAddress } from '#web/engines/datatable/list-address.ts'
import { NoProperties } from '#web/engines/account/no-properties.tsx'
import { paths } from '#web/paths.ts'
import button from '#web/ui/collapsing-button.module.css'
import { TintLegend, phoneCell, propertyCells } from './property-cells.tsx'
import { propertyFilterLabel } from './property-labels.ts'
import classes from './property.module.css'

const HEADING_ICONS = { discrepancies: <IconAlertTriangle size={16} aria-hidden /> }
const ACTIVE = { status: 'active' }
/** The default order, by last change, would move a row whenever one of its cells is edited. */
const BY_LOCATION = { sort: 'location_number', order: 'asc' } as const

function StatusTabs({ account }: { account: Account }) {
  const { state, change } = useListAddress()
  const chosen = state.filters['status'] ?? ACTIVE.status
  return (
    <SegmentedControl
      size="sm"
      aria-label="Active or divested properties"
      value={chosen}
      onChange={(status) => change({ filters: { ...state.filters, status: status === ACTIVE.status ? '' : status } })}
      data={[
        { value: 'active', label: `Active ${formatNumber(account.properties ?? 0)}` },
        { value: 'divested', label: `Divested ${formatNumber(account.divested_properties ?? 0)}` },
        ...(chosen === 'all' ? [{ value: 'all', label: 'All' }] : []),
      ]}
    />
  )
}

/** Active properties can be flagged and divested, divested ones reactivated. */
const appliesTo = (action: string, row: PropertyRow | null, query: Readonly<Record<string, string>>): boolean => {
  // Rows that are not loaded have the status of the list, which can be both.
  const status = row === null ? query['filter__status'] : row.status.value
  if ((status !== 'active' && status !== 'divested') || !['flag', 'divest', 'reactivate'].includes(action)) return true
  return (status === 'divested') === (action === 'reactivate')
}

/** Reactivation is undone by divesting again, with the date, reason and note that each property had. */
function undoInputs(action: string, rows: readonly PropertyRow[]) {
  if (action !== 'reactivate' || rows.some(({ divested }) => divested === null)) return undefined
  const groups = Map.groupBy(rows, ({ divested }) => JSON.stringify(divested))
  return [...groups.values()].flatMap((group) => {
    const input = group[0]?.divested
    return input ? [{ ids: group.map(({ id }) => id), input }] : []
  })
}

const DIVESTED_NOTE = 'Divested properties are not checked.'

/** Short enough for the line of the toolbar. */
const DivestedNote = () => (
  <span className={classes['inToolbar']} title={DIVESTED_NOTE}>
    <span aria-hidden>Not checked</span>
    <span className="visually-hidden">{DIVESTED_NOTE}</span>
  </span>
)

/** Shown while the scores and discrepancies of the table are not those of its values. */
function ChecksInProgress({ account: { id, properties, divested_properties: divestedCount } }: { account: Account }) {
  const state = useCheckState(id)
  const divested = useListAddress().state.filters['status'] === 'divested'
  // A user who sees no checks sees no word about them.
  if (!useCan()('view_account_reconciliation_metric')) return null
  if (divested) return <DivestedNote />
  if (properties === 0) return divestedCount === 0 ? null : <DivestedNote />
  return state === undefined || state.state === 'current' ? null : <CheckStateNote state={state} />
}

/** The properties of an account: values, construction, discrepancies at their cells. */
export function PropertiesTab({ account }: { account: Account }) {
  const accountId = account.id
  const can = useCan()
  useChannel(can('manage_flags') ? CHANNELS.datatable('flags') : undefined)
  const fixed = useMemo(() => ({ account_id: accountId }), [accountId])
  const mayUpdate = can('update_account_properties') && account.deleted_at === null
  const cells = useMemo(() => propertyCells(mayUpdate), [mayUpdate])
  const status = useListAddress().state.filters['status'] ?? ACTIVE.status
  const isEmpty = account.properties === 0 && (status === ACTIVE.status || account.divested_properties === 0)
  return (
    <Datatable
      model="account_properties"
      label="properties"
      basePath={`${paths.account(accountId)}/properties`}
      openIn="panel"
      windowed
      fixed={fixed}
      presets={ACTIVE}
      defaultSort={BY_LOCATION}
      cells={cells}
      headingIcons={HEADING_ICONS}
      phoneCell={phoneCell}
      appliesTo={appliesTo}
      undoInputs={undoInputs}
      createLabel="Add property"
      filterLabel={propertyFilterLabel}
      toolbarStart={
        <>
          <StatusTabs account={account} />
          <TintLegend />
        </>
      }
      toolbarNote={<ChecksInProgress account={account} />}
      toolbarEnd={
        can('bulk_upload_account_properties') && (
          <Button
            component={Link}
            to={paths.import(accountId)}
            variant="default"
            className={button['collapsing'] ?? ''}
            leftSection={<IconFileImport size={16} aria-hidden />}
          >
            Import
          </Button>
        )
      }
      empty={isEmpty ? <NoProperties account={account} tab="properties" /> : undefined}
      formatTotal={formatMoney}
    />
  )
}
