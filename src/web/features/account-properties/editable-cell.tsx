import { useRef, useState } from 'react'
import type { PropertyRow } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { cellOf } from '#web/engines/datatable/cells.tsx'
import { CellProblem } from './cell-problem.tsx'
import { FindingMark } from './finding-mark.tsx'
import type { PropertyValue } from './property-words.ts'
import { useCellEdit } from './use-cell-edit.ts'
import classes from './editable-cell.module.css'

interface CellProps {
  row: PropertyRow
  name: PropertyFieldName
  mayEdit: boolean
  findings: PropertyRow['findings']
}

interface CellInputProps {
  label: string
  name: PropertyFieldName
  text: string
  busy: boolean
  invalid: boolean
  onType: (text: string) => void
  onSave: (text: string) => void
  onCancel: () => void
}

function CellInput({ label, name, text, busy, invalid, onType, onSave, onCancel }: CellInputProps) {
  const field = propertyField(name)
  const left = useRef(false)
  const shared = { 'aria-label': label, 'aria-invalid': invalid || undefined, disabled: busy, className: classes['input'], autoFocus: true }
  const keys = (event: { key: string; currentTarget: { value: string }; stopPropagation: () => void }) => {
    event.stopPropagation()
    if (event.key === 'Enter') onSave(event.currentTarget.value)
    if (event.key === 'Escape') {
      left.current = true
      onCancel()
    }
  }
  const leave = (value: string) => {
    if (!left.current && !invalid) onSave(value)
  }
  if (field.kind === 'choice') {
    return (
      <select
        {...shared}
        value={text}
        onKeyDown={keys}
        onBlur={(event) => leave(event.currentTarget.value)}
        onChange={(event) => onSave(event.currentTarget.value)}
      >
        <option value="">Not stated</option>
        {Object.entries(field.choices).map(([code, words]) => (
          <option key={code} value={code}>
            {words}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      {...shared}
      type={field.kind === 'date' ? 'date' : 'text'}
      value={text}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={keys}
      onBlur={(event) => leave(event.currentTarget.value)}
    />
  )
}

function CellEditor({ row, name, onDone }: { row: PropertyRow; name: PropertyFieldName; onDone: () => void }) {
  const { value } = cellOf(row, name)
  const shown: PropertyValue = typeof value === 'boolean' ? null : value
  const { edit, save, takeTheirs, type } = useCellEdit(row, name, shown, onDone)
  return (
    <span className={classes['editing']}>
      <CellInput
        label={propertyField(name).label}
        name={name}
        text={edit.text}
        busy={edit.phase === 'saving'}
        invalid={edit.problem !== null || edit.theirs !== undefined}
        onType={type}
        onSave={(text) => void save(text)}
        onCancel={onDone}
      />
      <CellProblem name={name} edit={edit} onMine={() => void save(edit.text)} onTheirs={takeTheirs} />
    </span>
  )
}

/** A value with its findings; one click edits it, Enter or leaving saves, Escape gives up. */
export function EditableCell({ row, name, mayEdit, findings }: CellProps) {
  const [editing, setEditing] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const { text } = cellOf(row, name)
  const done = () => {
    setEditing(false)
    // Only when the focus went with the input, not when the person has moved on.
    setTimeout(() => document.activeElement === document.body && trigger.current?.focus({ preventScroll: true }))
  }
  if (editing) return <CellEditor row={row} name={name} onDone={done} />
  return (
    <span className={classes['cell']}>
      <FindingMark findings={findings} />
      {mayEdit ? (
        <button
          ref={trigger}
          type="button"
          data-walk={name}
          className={classes['value']}
          title={text}
          aria-label={`${propertyField(name).label}: ${text || 'empty'}. Edit`}
          onClick={() => setEditing(true)}
        >
          {text || '–'}
        </button>
      ) : (
        <span className={classes['text']} title={text}>
          {text || '–'}
        </span>
      )}
    </span>
  )
}
