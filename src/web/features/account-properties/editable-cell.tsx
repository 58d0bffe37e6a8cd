import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { PropertyRow } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { cellOf } from '#web/engines/datatable/cells.tsx'
import classes from './property-cells.module.css'
import { formatValue } from './property-labels.ts'
import { FindingMark } from './property-marks.tsx'
import { useCellEdit } from './use-cell-edit.ts'

interface EditableCellProps {
  row: PropertyRow
  name: PropertyFieldName
  mayEdit: boolean
  findings: PropertyRow['findings']
}

/** A value with its findings. A click edits it, Enter or leaving the input saves, Escape cancels. */
export function EditableCell({ row, name, mayEdit, findings }: EditableCellProps) {
  const [editing, setEditing] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const { text } = cellOf(row, name)
  const wasEditing = useRef(false)
  useEffect(() => {
    // Returns the focus only if it was lost with the input, not if the user has moved on.
    if (wasEditing.current && !editing && document.activeElement === document.body) trigger.current?.focus({ preventScroll: true })
    wasEditing.current = editing
  }, [editing])
  if (editing) return <CellEditor row={row} name={name} onDone={() => setEditing(false)} />
  return (
    <span className={classes['cell']}>
      <FindingMark findings={findings} />
      {mayEdit ? (
        <button
          ref={trigger}
          type="button"
          data-row-control={name}
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

function CellEditor({ row, name, onDone }: { row: PropertyRow; name: PropertyFieldName; onDone: () => void }) {
  const { value } = cellOf(row, name)
  const cell = useCellEdit(row, name, typeof value === 'boolean' ? null : value, onDone)
  return (
    <span className={classes['editing']}>
      <CellInput name={name} cell={cell} onCancel={onDone} />
      <CellProblem name={name} cell={cell} />
    </span>
  )
}

interface CellEditProps {
  name: PropertyFieldName
  cell: ReturnType<typeof useCellEdit>
}

function CellInput({ name, cell: { edit, save, type }, onCancel }: CellEditProps & { onCancel: () => void }) {
  const field = propertyField(name)
  const canceled = useRef(false)
  const invalid = edit.problem !== null || edit.theirs !== undefined
  const shared = {
    'aria-label': field.label,
    'aria-invalid': invalid || undefined,
    disabled: edit.saving,
    className: classes['input'],
    autoFocus: true,
    value: edit.text,
    onKeyDown: (event: { key: string; currentTarget: { value: string }; stopPropagation: () => void }) => {
      event.stopPropagation()
      if (event.key === 'Enter') void save(event.currentTarget.value)
      if (event.key === 'Escape') {
        canceled.current = true
        onCancel()
      }
    },
    onBlur: (event: { currentTarget: { value: string } }) => {
      if (!canceled.current && !invalid) void save(event.currentTarget.value)
    },
  }
  if (field.kind === 'choice') {
    return (
      <select {...shared} onChange={(event) => void save(event.currentTarget.value)}>
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
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}

/** Below the input: what is wrong with the value, or the choice between two values. */
function CellProblem({ name, cell: { edit, save, takeTheirs } }: CellEditProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const disputed = edit.theirs !== undefined
  const box = anchor?.parentElement?.getBoundingClientRect()
  return (
    <>
      <span ref={setAnchor} hidden />
      {box &&
        (edit.problem !== null || disputed) &&
        createPortal(
          <div
            role="alert"
            className={classes['problem']}
            style={{ left: Math.min(box.left, window.innerWidth - 300), top: box.bottom + 4 }}
          >
            {edit.problem}
            {disputed && (
              <>
                <span>
                  Another user saved <strong>{formatValue(name, edit.theirs) || 'nothing'}</strong> meanwhile; you entered{' '}
                  <strong>{formatValue(name, edit.text) || 'nothing'}</strong>.
                </span>
                <span className={classes['choices']}>
                  <Button size="compact-sm" variant="default" onClick={() => void save(edit.text)}>
                    Keep mine
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={takeTheirs}>
                    Take theirs
                  </Button>
                </span>
              </>
            )}
          </div>,
          document.body,
        )}
    </>
  )
}
