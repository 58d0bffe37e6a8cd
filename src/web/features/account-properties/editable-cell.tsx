import { Button, Popover } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState, type FocusEvent, type KeyboardEvent } from 'react'
import type { PropertyRow } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { formatPropertyValue } from '#contract/property-format.ts'
import { NO_LONGER_ALLOWED } from '#web/data/session.ts'
import { cellOf } from '#web/engines/datatable/cells.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './property-cells.module.css'
import { shortText } from './property-labels.ts'
import { FindingMark, tintOf, type Findings } from './property-marks.tsx'
import { parseInput } from './save-cell.ts'
import { useCellEdit } from './use-cell-edit.ts'

interface CellProps {
  row: PropertyRow
  name: PropertyFieldName
}

/** Returns the focus only if it was lost with the input, not if the user has moved on. */
const returnFocus = (trigger: HTMLElement | null) => {
  if (document.activeElement === document.body) trigger?.focus({ preventScroll: true })
}

/** A value with its discrepancies. A click edits it, Enter or leaving the input saves, Escape cancels. It closes when the user loses the right. */
export function EditableCell({ row, name, mayEdit, findings }: CellProps & { mayEdit: boolean; findings: Findings }) {
  /** Null before the first edit. */
  const [editing, setEditing] = useState<boolean | null>(null)
  const { text, value } = cellOf(row, name)
  const tint = tintOf(findings)
  const empty = tint !== undefined && mayEdit ? 'Set' : '–'
  const shown = shortText(name, value, text) || empty
  // The name of the button has to contain what it shows.
  const spoken = text === '' || shown === text ? text : `${shown}, ${text}`
  useEffect(() => {
    if (editing && !mayEdit) toast.warning(NO_LONGER_ALLOWED)
  }, [editing, mayEdit])
  if (editing && mayEdit) return <CellEditor row={row} name={name} onDone={() => setEditing(false)} />
  return (
    <span className={classes['cell']} data-severity={tint} data-wraps={name === 'city' || undefined}>
      <FindingMark findings={findings} propertyId={row.id} />
      {mayEdit ? (
        <button
          ref={editing === null ? null : returnFocus}
          type="button"
          data-row-control={name}
          className={classes['value']}
          title={text}
          aria-label={`${propertyField(name).label}: ${spoken || 'empty'}. ${text === '' ? empty.replace('–', 'Edit') : 'Edit'}`}
          onClick={() => setEditing(true)}
        >
          {shown}
        </button>
      ) : (
        <span className={classes['text']} title={text}>
          {shown}
        </span>
      )}
    </span>
  )
}

/** What would be saved: amounts may be typed with commas and cents. */
function enteredText(name: PropertyFieldName, typed: string, currency: string): string {
  const parsed = parseInput(name, typed)
  return 'problem' in parsed ? typed : formatPropertyValue(name, parsed.value, currency) || 'nothing'
}

/** The input and, below it, what is wrong with the value or the choice between two values. */
function CellEditor({ row, name, onDone }: CellProps & { onDone: () => void }) {
  const edit = useCellEdit(row, name, onDone)
  const { problem, disputedBy, theirs, text, save, takeTheirs } = edit
  const invalid = problem !== null || theirs !== undefined
  // The browser asks before the page is closed or reloaded.
  useWindowEvent('beforeunload', (event) => (edit.isChanged ? event.preventDefault() : undefined))
  return (
    <Popover opened={invalid} position="bottom-start" width={284} withRoles={false} transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <span className={classes['editing']}>
          <CellInput name={name} edit={edit} invalid={invalid} onCancel={onDone} />
        </span>
      </Popover.Target>
      <Popover.Dropdown role="alert" className={classes['problem'] ?? ''}>
        {problem}
        {theirs !== undefined && (
          <>
            <span>
              {disputedBy} saved <strong>{formatPropertyValue(name, theirs, row.currency) || 'nothing'}</strong> meanwhile; you entered{' '}
              <strong>{enteredText(name, text, row.currency)}</strong>.
            </span>
            <span className={classes['choices']}>
              <Button size="compact-sm" variant="default" onClick={() => save(text)}>
                Keep mine
              </Button>
              <Button size="compact-sm" variant="default" onClick={takeTheirs}>
                Take theirs
              </Button>
            </span>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

interface CellInputProps {
  name: PropertyFieldName
  edit: ReturnType<typeof useCellEdit>
  invalid: boolean
  onCancel: () => void
}

function CellInput({ name, edit: { text, type, save, isSaving }, invalid, onCancel }: CellInputProps) {
  const field = propertyField(name)
  const shared = {
    'aria-label': field.label,
    'aria-invalid': invalid || undefined,
    'aria-busy': isSaving || undefined,
    className: classes['input'],
    autoFocus: true,
    value: text,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLSelectElement>) => {
      const { value } = event.currentTarget
      if (event.key === 'Enter') {
        // The focus can return to the button of the cell at once, and the same key would press it.
        event.preventDefault()
        save(value)
      }
      if (event.key === 'Escape' && !isSaving) onCancel()
      if (event.key !== 'Tab' || !('problem' in parseInput(name, value))) return
      event.preventDefault()
      save(value)
    },
    onBlur: ({ currentTarget: { value }, relatedTarget }: FocusEvent<HTMLInputElement | HTMLSelectElement>) => {
      const isCovered = relatedTarget instanceof Element && relatedTarget.matches('[data-offline]')
      if (!invalid && !isCovered) save(value)
    },
  }
  if (field.kind === 'choice') {
    return (
      <select {...shared} onChange={(event) => save(event.currentTarget.value)}>
        <option value="">Not stated</option>
        {Object.entries(field.choices).map(([code, label]) => (
          <option key={code} value={code}>
            {label}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      {...shared}
      type={field.kind === 'date' ? 'date' : 'text'}
      // Not disabled, which would take the focus away.
      readOnly={isSaving}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}
