import { Button, Popover } from '@mantine/core'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState, type FocusEvent, type KeyboardEvent } from 'react'
import { propertyCalls, propertyFieldSchema, type PropertyRow } from '#contract/account-properties.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { formatPropertyValue, type PropertyValue } from '#contract/property-format.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { queries, type ListAnswer } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { cellOf } from '#web/engines/datatable/cells.tsx'
import { issueMessage } from '#web/engines/form/form-values.ts'
import { toast } from '#web/ui/toast.tsx'
import classes from './property-cells.module.css'
import { formatCell } from './property-labels.ts'
import { FindingMark } from './property-marks.tsx'

interface CellProps {
  row: PropertyRow
  name: PropertyFieldName
}

/** Returns the focus only if it was lost with the input, not if the user has moved on. */
const returnFocus = (trigger: HTMLElement | null) => {
  if (document.activeElement === document.body) trigger?.focus({ preventScroll: true })
}

/** A value with its findings. A click edits it, Enter or leaving the input saves, Escape cancels. */
export function EditableCell({ row, name, mayEdit, findings }: CellProps & { mayEdit: boolean; findings: PropertyRow['findings'] }) {
  /** Null before the first edit. */
  const [editing, setEditing] = useState<boolean | null>(null)
  const { text } = cellOf(row, name)
  if (editing) return <CellEditor row={row} name={name} onDone={() => setEditing(false)} />
  return (
    <span className={classes['cell']}>
      <FindingMark findings={findings} />
      {mayEdit ? (
        <button
          ref={editing === null ? null : returnFocus}
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

/** The input and, below it, what is wrong with the value or the choice between two values. */
function CellEditor({ row, name, onDone }: CellProps & { onDone: () => void }) {
  const edit = useCellEdit(row, name, onDone)
  const { problem, theirs, text, save, takeTheirs } = edit
  const invalid = problem !== null || theirs !== undefined
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
              Another user saved <strong>{formatPropertyValue(name, theirs) || 'nothing'}</strong> meanwhile; you entered{' '}
              <strong>{formatPropertyValue(name, text) || 'nothing'}</strong>.
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

/** The typed text as a value of the field, or a message about what is wrong with it. */
export function parseInput(name: PropertyFieldName, text: string): { value: PropertyValue } | { problem: string } {
  const field = propertyField(name)
  const isAmount = field.kind === 'money' || field.kind === 'area' || field.kind === 'integer'
  // A comma that does not separate thousands can mean cents, so the schema rejects the text.
  const plain = isAmount ? text.replaceAll(/[$\s]|(?<=\d),(?=\d{3}(?!\d))/g, '') : text.trim()
  const checked = propertyFieldSchema(field).safeParse(plain)
  const issue = checked.error?.issues[0]
  if (issue !== undefined) return { problem: issueMessage(issue) }
  return { value: checked.data as PropertyValue } // every kind of field contains a text, a number or null
}

/** Saves one value of the given version and shows it in every list at once. Throws a conflict if the property has changed since. */
async function saveValue(client: QueryClient, id: string, version: number, name: PropertyFieldName, input: PropertyValue) {
  const { data } = await api(propertyCalls.update, { params: { id }, body: { version, [name]: input } })
  const value = data.values[name] ?? null
  const saved = { version: data.version, [name]: { value, text: formatCell(name, value) } }
  client.setQueryData(queries.property(id).queryKey, data)
  client.setQueriesData<ListAnswer<'account_properties'>>(
    { queryKey: ['index', 'account_properties'] },
    (page) => page && { ...page, data: page.data.map((row) => (row.id === id ? { ...row, ...saved } : row)) },
  )
  invalidateAfterWrite('account_properties', id, data.account_id)
}

/** The value that an edit is compared with. It is disputed when another user has saved it since the edit began. */
interface Base {
  version: number
  text: string
  disputed: boolean
}

const textOf = (value: PropertyValue | boolean | undefined) => String(value ?? '')

/** The edit of one cell, while its input is mounted. */
function useCellEdit(row: PropertyRow, name: PropertyFieldName, onDone: () => void) {
  const client = useQueryClient()
  const [base, setBase] = useState<Base>({ version: row.version, text: textOf(cellOf(row, name).value), disputed: false })
  const [text, setText] = useState(base.text)
  const [problem, setProblem] = useState<string | null>(null)
  const saving = useMutation({
    /** If another value of the property was changed, saves over it. If this value was changed, the user has to see it first. */
    mutationFn: async (value: PropertyValue): Promise<Base | null> => {
      try {
        await saveValue(client, row.id, base.version, name, value)
      } catch (error) {
        if (!isApiError(error) || error.kind !== 'conflict') throw error
        const { version, values } = await client.query({ ...queries.property(row.id), staleTime: 0 })
        const theirs = textOf(values[name])
        if (theirs !== base.text) return { version, text: theirs, disputed: true }
        await saveValue(client, row.id, version, name, value)
      }
      return null
    },
    onSuccess: (disputed) => (disputed === null ? onDone() : setBase(disputed)),
    onError: (error) => {
      if (isApiError(error) && error.kind === 'invalid') setProblem(firstMessages(error)[name] ?? messageOf(error))
      else toast.alert(messageOf(error))
    },
  })
  const type = (typed: string) => {
    setText(typed)
    setProblem(null)
  }
  const save = (typed: string) => {
    if (saving.isPending) return
    type(typed)
    const parsed = parseInput(name, typed)
    if ('problem' in parsed) setProblem(parsed.problem)
    else if (textOf(parsed.value) === base.text && !base.disputed) onDone()
    else saving.mutate(parsed.value)
  }
  const takeTheirs = () => {
    onDone()
    invalidateAfterWrite('account_properties', row.id)
  }
  return { text, type, problem, theirs: base.disputed ? base.text : undefined, isSaving: saving.isPending, save, takeTheirs }
}
