import IconAlertOctagon from '@tabler/icons-react/dist/esm/icons/IconAlertOctagon.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { ImportRow } from '#contract/import-rows.ts'
import type { ImportColumn } from '#contract/imports.ts'
import classes from './sheet-grid.module.css'

interface SheetCellProps {
  id: string
  /** Both from 0: the grid reads them off the element that was clicked. */
  row: number
  column: number
  left: number
  /** Null until the row has arrived. */
  text: string | null
  state: ImportColumn['state']
  numeric: boolean
  issue: ImportRow['issues'][number] | undefined
  chosen: boolean
  editing: boolean
  onEndEdit: () => void
  onSave: (value: string) => void
}

/** A cell as read, with the shape and words of what is wrong with it; a double click or Enter edits it in place. */
export function SheetCell({ id, row, column, left, text, state, numeric, issue, chosen, editing, onEndEdit, onSave }: SheetCellProps) {
  const Shape = issue?.severity === 'error' ? IconAlertOctagon : IconAlertTriangle
  return (
    <div
      id={id}
      role="gridcell"
      tabIndex={-1}
      data-row={row}
      data-column={column}
      aria-selected={chosen}
      aria-colindex={column + 2}
      className={classes['cell']}
      style={{ left }}
      data-state={state}
      data-number={numeric || undefined}
      data-issue={issue?.severity}
      data-chosen={chosen || undefined}
      title={issue?.message ?? text ?? undefined}
    >
      {editing && text !== null ? (
        <CellInput text={text} onEndEdit={onEndEdit} onSave={onSave} />
      ) : (
        <>
          {issue && <Shape size={14} className={classes['shape']} aria-label={issue.severity === 'error' ? 'Error' : 'Warning'} />}
          {text === null ? <span className={classes['loading']} /> : <span className={classes['text']}>{text}</span>}
        </>
      )}
    </div>
  )
}

function CellInput({ text, onEndEdit, onSave }: { text: string; onEndEdit: () => void; onSave: (value: string) => void }) {
  const save = (value: string) => {
    if (value !== text) onSave(value)
  }
  return (
    <input
      className={classes['input']}
      defaultValue={text}
      autoFocus
      aria-label="Value of the cell"
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => save(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          event.currentTarget.value = text
          onEndEdit()
        }
        if (event.key === 'Enter') onEndEdit()
      }}
    />
  )
}
