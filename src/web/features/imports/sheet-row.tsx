import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
import type { ImportColumn } from '#contract/imports.ts'
import { isNumeric } from './column-fields.ts'
import { ROW_WORDS, cellText, columnLetter } from './import-words.ts'
import { SheetCell } from './sheet-cell.tsx'
import classes from './sheet-grid.module.css'
import type { Chosen } from './sheet-selection.ts'

interface SheetRowProps {
  index: number
  top: number
  row: ImportRow | undefined
  columns: readonly ImportColumn[]
  /** Several sheets stand below each other: each row says which one it is of. */
  split: boolean
  visible: readonly VirtualItem[]
  chosen: Chosen | null
  editing: boolean
  onEndEdit: () => void
  onEdit: (row: number, letter: string, value: string) => void
}

/** One line of the sheet. Lines that are no location stay in view, with what they were taken for. */
export const SheetRow = memo(function SheetRow({
  index,
  top,
  row,
  columns,
  split,
  visible,
  chosen,
  editing,
  onEndEdit,
  onEdit,
}: SheetRowProps) {
  const isHeader = row?.kind === 'header'
  const out = row !== undefined && !isHeader && (row.excluded || row.kind !== 'data')
  const word = row === undefined || row.kind === 'data' ? '' : ROW_WORDS[row.kind]
  const said = split && row !== undefined && (word === '' || row.sheet_row === 1) ? row.sheet : word
  return (
    <div
      className={classes['row']}
      role="row"
      aria-rowindex={index + 1}
      data-header={isHeader || undefined}
      data-out={out || undefined}
      style={{ top }}
    >
      <div
        id={`cell-${index}-row`}
        role="rowheader"
        tabIndex={-1}
        data-row={index}
        className={classes['rowHead']}
        data-chosen={(chosen !== null && chosen.column === null) || undefined}
        title={[split ? row?.sheet : '', row?.reason ?? word].filter(Boolean).join(': ')}
      >
        <span>{row?.sheet_row ?? index + 1}</span>
        {said !== '' && <span className={classes['rowWord']}>{said}</span>}
      </div>
      {visible.map(({ index: at, start }) => {
        const letter = columns[at]?.letter ?? columnLetter(at + 1)
        const isChosen = chosen?.column === at
        return (
          <SheetCell
            key={letter}
            id={`cell-${index}-${letter}`}
            row={index}
            column={at}
            left={start}
            text={row === undefined ? null : cellText(row.cells[at])}
            state={columns[at]?.state ?? 'unmapped'}
            numeric={!isHeader && isNumeric(columns[at]?.field ?? null)}
            issue={worst(row, letter)}
            chosen={isChosen}
            editing={editing && isChosen}
            onEndEdit={onEndEdit}
            onSave={(value) => row && onEdit(row.row, letter, value)}
          />
        )
      })}
    </div>
  )
})

/** The issue a cell is coloured by: an error before a warning. */
function worst(row: ImportRow | undefined, letter: string) {
  const issues = row?.issues.filter((issue) => issue.column === letter) ?? []
  return issues.find((issue) => issue.severity === 'error') ?? issues[0]
}
