import { ColorPicker, Popover, Select, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useRef, useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { STATUS_SAVE_DEBOUNCE_MS } from '#contract/limits.ts'
import { DEFAULT_STATUS_COLOR, STATUS_STATES, StatusState, statusCalls, type CompanyStatus, type StatusGroup } from '#contract/statuses.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { useCan } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useSortableRow } from '#web/ui/sortable-list.tsx'
import { statusColor } from '#web/ui/status-color.ts'
import { STATUS_CHANGES } from './use-status-group.ts'
import classes from './settings.module.css'

/** The colors of the statuses that a new company has. */
const SWATCHES = ['#1976D2', '#F9A825', '#FB8C00', '#6A1B9A', '#00838F', '#2E7D32', '#C62828', '#616161', '#9E9E9E', '#000000']

interface Values {
  name: string
  color: string
  state: StatusState | null
}

const valuesOf = (status: CompanyStatus | undefined, group: StatusGroup): Values => ({
  name: status?.name ?? '',
  color: status?.color ?? DEFAULT_STATUS_COLOR,
  state: status === undefined && group === 'simple_account' ? 'uploading' : (status?.state ?? null),
})

interface StatusRowProps {
  /** The same before and after the first save. */
  rowKey: string
  group: StatusGroup
  /** Undefined until the first save. */
  status: CompanyStatus | undefined
  onSaved: (status: CompanyStatus) => void
  onRemoved: () => void
}

/** The values of a row, which are saved a moment after the last change. */
function useStatusRow({ rowKey, group, status, onSaved, onRemoved }: StatusRowProps) {
  const [edits, setEdits] = useState<Partial<Values>>({})
  const [error, setError] = useState('')
  /** A second save may be waiting while the first one adds the status. */
  const id = useRef(status?.id)
  const values = { ...valuesOf(status, group), ...edits }
  const saving = useMutation({
    mutationKey: STATUS_CHANGES,
    // One after the other, so that the last one wins and the first one alone adds.
    scope: { id: rowKey },
    mutationFn: async (sent: Values) =>
      id.current === undefined
        ? (await api(statusCalls.create, { body: { model_type: group, ...sent } })).data
        : (await api(statusCalls.update, { params: { id: id.current }, body: sent })).data,
    onSuccess: (saved, sent) => {
      id.current = saved.id
      // What was typed during the save remains, and is saved next.
      setEdits((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => sent[name as keyof Values] !== value)))
      setError('')
      onSaved(saved)
    },
    onError: (failure) => {
      const messages = isApiError(failure) ? Object.values(firstMessages(failure)) : []
      if (messages[0] === undefined) showError(failure)
      else setError(messages[0])
    },
  })
  const save = useDebouncedCallback(
    (next: Values): void => {
      const name = next.name.trim()
      if (name === '') return setError('Please enter a name.')
      saving.mutate({ ...next, name })
    },
    { delay: STATUS_SAVE_DEBOUNCE_MS, flushOnUnmount: true },
  )
  const change = (patch: Partial<Values>) => {
    setEdits({ ...edits, ...patch })
    setError('')
    save({ ...values, ...patch })
  }
  const remove = async (button: Element) => {
    if (status === undefined && values.name.trim() === '') return onRemoved()
    const question = {
      title: `Delete ${values.name}`,
      message: 'Are you sure you wish to delete this status? This cannot be undone.',
      confirm: 'Delete',
    }
    if (!(await confirmDialog(question))) return undefined
    save.cancel()
    if (status !== undefined) await api(statusCalls.remove, { params: { id: status.id } })
    focusNeighbour(button)
    return onRemoved()
  }
  return { values, error, change, remove }
}

/** Moves the focus from a row that is about to be removed to the same button of the next one. */
function focusNeighbour(button: Element): void {
  const row = button.closest('li')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  next?.querySelector<HTMLElement>(':scope > button:last-child')?.focus({ preventScroll: true })
}

/** One status of the company: its place, color, name, state and number of accounts. */
export function StatusRow(props: StatusRowProps) {
  const { rowKey, group, status } = props
  const can = useCan()
  const { values, error, change, remove } = useStatusRow(props)
  const editable = status === undefined || can('update_statuses')
  const name = values.name === '' ? 'the new status' : values.name
  const { row, handle } = useSortableRow(rowKey, name, { disabled: status === undefined || !editable })
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
          {status === undefined ? <span>Not saved</span> : formatNumber(status.used)}
          {status !== undefined && <span>{status.used === 1 ? ' account' : ' accounts'}</span>}
        </span>
      )}
      {(status === undefined || can('delete_statuses')) && (
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
        <ColorPicker format="hex" value={color} onChange={onChange} swatches={SWATCHES} swatchesPerRow={5} />
        <TextInput mt={8} label="Color" value={typed ?? color} maxLength={7} onChange={(event) => type(event.currentTarget.value)} />
      </Popover.Dropdown>
    </Popover>
  )
}
