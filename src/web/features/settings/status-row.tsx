import { ColorPicker, Popover, Select, TextInput, UnstyledButton } from '@mantine/core'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { STATUS_STATES, StatusState } from '#contract/statuses.ts'
import { useCan } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useSortableRow } from '#web/ui/sortable-list.tsx'
import { statusColor } from '#web/ui/status-color.ts'
import { useStatusRow, type StatusRowProps } from './use-status-row.ts'
import classes from './settings.module.css'

/** The colors of the statuses that a new company has. */
const SWATCHES = ['#1976D2', '#F9A825', '#FB8C00', '#6A1B9A', '#00838F', '#2E7D32', '#C62828', '#616161', '#9E9E9E', '#000000']

/** One status of the company: its place, color, name, state and number of accounts. */
export function StatusRow(props: StatusRowProps) {
  const { rowKey, group, status, lost } = props
  const isSaved = status !== undefined && !lost
  const can = useCan()
  const { values, error, change, remove } = useStatusRow(props)
  const editable = !isSaved || can('update_statuses')
  const name = values.name === '' ? 'the new status' : values.name
  const { row, handle } = useSortableRow(rowKey, name, { disabled: !isSaved || !editable })
  return (
    <li {...row} className={`${row.className} ${classes['status'] ?? ''}`}>
      <span className={classes['handle']}>{handle}</span>
      <ColorChoice name={name} color={values.color} disabled={!editable} onChange={(color) => change({ color })} />
      <TextInput
        aria-label="Name"
        placeholder="Name"
        maxLength={60}
        value={values.name}
        error={error === '' ? undefined : error}
        readOnly={!editable}
        // A new row was just requested by a click.
        autoFocus={status === undefined}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {group === 'simple_account' && (
        <StateChoice name={name} state={values.state} editable={editable} onChange={(state) => change({ state })} />
      )}
      {group !== 'risk_control' && (
        <span className={classes['used']}>
          {isSaved ? formatNumber(status.used) : <span>Not saved</span>}
          {isSaved && <span>{status.used === 1 ? ' account' : ' accounts'}</span>}
        </span>
      )}
      {(!isSaved || can('delete_statuses')) && (
        <IconButton name={`Delete ${name}`} mt={5} onClick={({ currentTarget }) => void remove(currentTarget).catch(showError)}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  )
}

interface StateChoiceProps {
  name: string
  state: StatusState | null
  editable: boolean
  onChange: (state: StatusState) => void
}

const StateChoice = ({ name, state, editable, onChange }: StateChoiceProps) => (
  <Select
    aria-label={`State of ${name}`}
    className={classes['state'] ?? ''}
    data={Object.entries(STATUS_STATES).map(([value, label]) => ({ value, label }))}
    value={state}
    allowDeselect={false}
    readOnly={!editable}
    onChange={(chosen) => onChange(StatusState.parse(chosen))}
  />
)

interface ColorChoiceProps {
  name: string
  color: string
  disabled: boolean
  onChange: (color: string) => void
}

function ColorChoice({ name, color, disabled, onChange }: ColorChoiceProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const type = (text: string) => {
    const next = text.startsWith('#') ? text : `#${text}`
    setTyped(text)
    if (/^#[\da-f]{6}$/i.test(next)) onChange(next)
  }
  return (
    <Popover position="bottom-start" withinPortal trapFocus onClose={() => setTyped(null)}>
      <Popover.Target>
        <UnstyledButton
          className={classes['swatch'] ?? ''}
          style={{ background: statusColor(color) }}
          aria-label={`Color of ${name}: ${color}`}
          disabled={disabled}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <ColorPicker
          format="hex"
          value={color}
          onChange={onChange}
          swatches={SWATCHES}
          swatchesPerRow={5}
          saturationLabel="Saturation and brightness"
          hueLabel="Hue"
        />
        <TextInput mt={8} label="Color" value={typed ?? color} maxLength={7} onChange={(event) => type(event.currentTarget.value)} />
      </Popover.Dropdown>
    </Popover>
  )
}
