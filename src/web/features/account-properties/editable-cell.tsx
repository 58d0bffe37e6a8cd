import { Button, Popover } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import type { PropertyRow } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { formatPropertyValue, type PropertyValue } from '#contract/property-format.ts'
import { changedBy, firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { cellOf } from '#web/engines/datatable/cells.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './property-cells.module.css'
import { shortText } from './property-labels.ts'
import { FindingMark, tintOf, type Findings } from './property-marks.tsx'
import { confirmEdit, parseInput, saveValue } from './save-cell.ts'

interface CellProps {
  row: PropertyRow
  name: PropertyFieldName
}

/** Returns the focus only if it was lost with the input, not if the user has moved on. */
const returnFocus = (trigger: HTMLElement | null) => {
  if (document.activeElement === document.body) trigger?.focus({ preventScroll: true })
}

/** A value with its discrepancies. A click edits it, Enter or leaving the input saves, Escape cancels. */
export function EditableCell({ row, name, mayEdit, findings }: CellProps & { mayEdit: boolean; findings: Findings }) {
  /** Null before the first edit. */
  const [editing, setEditing] = useState<boolean | null>(null)
  const { text, value } = cellOf(row, name)
  const tint = tintOf(findings)
  const empty = tint !== undefined && mayEdit ? 'Set' : '–'
  const shown = shortText(name, value, text) || empty
  // The name of the button has to contain what it shows.
  const spoken = text === '' || shown === text ? text : `${shown}, ${text}`
  if (editing) return <CellEditor row={row} name={name} onDone={() => setEditing(false)} />
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
              <strong>{formatPropertyValue(name, text, row.currency) || 'nothing'}</strong>.
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
    onBlur: ({ currentTarget: { value } }: FocusEvent<HTMLInputElement | HTMLSelectElement>) => {
      if (!invalid) save(value)
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

/** The value that an edit is compared with, and who has saved it since the edit began, if another user has. */
interface Base {
  version: number
  text: string
  disputedBy: string | null
}

const textOf = (value: PropertyValue | boolean | undefined) => String(value ?? '')

/**
 * Saves with a confirmation and Undo, and returns the base of a further edit. If another value of the property was changed, saves over
 * it. If this value was changed, the user has to see it first.
 */
async function saveOver(client: QueryClient, { row: { id, currency }, name }: CellProps, value: PropertyValue, from: Base): Promise<Base> {
  const save = async (base: number, before: string): Promise<Base> => {
    const version = await saveValue(client, id, base, name, value)
    confirmEdit(client, id, version, name, { from: before, to: value, currency })
    return { version, text: textOf(value), disputedBy: null }
  }
  try {
    return await save(from.version, from.text)
  } catch (error) {
    if (!isApiError(error) || error.kind !== 'conflict') throw error
    const { version, values } = await client.query({ ...queries.property(id), staleTime: 0 })
    const theirs = textOf(values[name])
    return theirs === from.text ? save(version, theirs) : { version, text: theirs, disputedBy: changedBy(error) }
  }
}

/** The last choice made while an earlier one is saved: a select, unlike an input, cannot be read-only. */
function useNextChoice() {
  const next = useRef<string>(undefined)
  const take = () => {
    const typed = next.current
    next.current = undefined
    return typed
  }
  return { set: (typed: string) => (next.current = typed), take }
}

/** The edit of one cell, while its input is mounted. */
function useCellEdit(row: PropertyRow, name: PropertyFieldName, onDone: () => void) {
  const client = useQueryClient()
  const [base, setBase] = useState<Base>({ version: row.version, text: textOf(cellOf(row, name).value), disputedBy: null })
  const [text, setText] = useState(base.text)
  const [problem, setProblem] = useState<string | null>(null)
  const next = useNextChoice()
  const saving = useMutation({
    mutationFn: ({ value, from }: { value: PropertyValue; from: Base }) => saveOver(client, { row, name }, value, from),
    onSuccess: (stored) => {
      const typed = next.take()
      setBase(stored)
      if (stored.disputedBy !== null) return
      if (typed === undefined) onDone()
      else submit(typed, stored)
    },
    onError: (error, { from }) => {
      const typed = next.take()
      if (!isApiError(error) || error.kind !== 'invalid') toast.alert(messageOf(error))
      else if (typed === undefined) setProblem(firstMessages(error)[name] ?? messageOf(error))
      else submit(typed, from)
    },
  })
  const type = (typed: string) => {
    setText(typed)
    setProblem(null)
  }
  const submit = (typed: string, from: Base) => {
    const parsed = parseInput(name, typed)
    if ('problem' in parsed) setProblem(parsed.problem)
    else if (textOf(parsed.value) === from.text && from.disputedBy === null) onDone()
    else saving.mutate({ value: parsed.value, from })
  }
  const save = (typed: string) => {
    type(typed)
    if (!saving.isPending) submit(typed, base)
    else if (typed !== text) next.set(typed)
  }
  const takeTheirs = () => {
    onDone()
    invalidateAfterWrite('account_properties', row.id)
  }
  return {
    text,
    isChanged: text !== base.text,
    type,
    problem,
    disputedBy: base.disputedBy,
    theirs: base.disputedBy === null ? undefined : base.text,
    isSaving: saving.isPending,
    save,
    takeTheirs,
  }
}
