import { Button, SegmentedControl } from '@mantine/core'
import { arrayMove } from '@dnd-kit/sortable'
import type { Column } from '#contract/datatable.ts'
import { NoHandle, SortableList, useSortableRow } from '#web/ui/sortable-list.tsx'
import { PanelFooter, SidePanel } from '../panel/route-panel.tsx'
import { isVisible } from './columns.ts'
import type { List } from './list.ts'
import classes from './column-settings.module.css'

const ROW_HEIGHTS = [
  { value: 'comfortable', label: 'Comfortable rows' },
  { value: 'compact', label: 'Compact rows' },
]

/** Which columns the table shows, their order and the height of the rows; each change applies immediately and is saved. */
export function ColumnSettings({ list, onClose }: { list: List; onClose: () => void }) {
  const { offeredColumns, layout, changeLayout, resetLayout, compact, setCompact, view, firstColumn } = list
  const frozen = offeredColumns.filter((column) => column === firstColumn)
  const others = offeredColumns.filter((column) => column !== firstColumn)
  const keys = others.map(({ src }) => src)
  const toggle = (column: Column, shown: boolean) => changeLayout({ columns: { ...layout.columns, [column.src]: shown } })
  const move = (_src: string, from: number, to: number) =>
    changeLayout({ columnOrder: [...frozen.map(({ src }) => src), ...arrayMove(keys, from, to)] })
  return (
    <SidePanel title="Columns" size="small" onClose={onClose}>
      <SegmentedControl
        fullWidth
        flex="none"
        mb={12}
        aria-label="Row height"
        data={ROW_HEIGHTS}
        value={compact ? 'compact' : 'comfortable'}
        onChange={(height) => setCompact(height === 'compact')}
      />
      <SortableList keys={keys} noun="column" nameOf={(src) => others.find((column) => column.src === src)?.label ?? ''} onMove={move}>
        <ul className={classes['list']}>
          {frozen.map((column) => (
            <li key={column.src} className={classes['row']}>
              <NoHandle />
              <ColumnChoice column={column} checked note="always first" />
            </li>
          ))}
          {others.map((column) => (
            <ColumnRow
              key={column.src}
              column={column}
              checked={isVisible(column, layout.columns)}
              onChange={(shown) => toggle(column, shown)}
            />
          ))}
        </ul>
      </SortableList>
      <PanelFooter>
        <Button variant="default" onClick={resetLayout}>
          {view === undefined ? 'Use the usual columns' : 'Use the columns of the view'}
        </Button>
        <Button onClick={onClose}>Done</Button>
      </PanelFooter>
    </SidePanel>
  )
}

interface ColumnRowProps {
  column: Column
  checked: boolean
  onChange: (shown: boolean) => void
}

function ColumnRow({ column, ...choice }: ColumnRowProps) {
  const { row, handle } = useSortableRow(column.src, column.label)
  return (
    <li {...row} className={`${row.className} ${classes['row'] ?? ''}`}>
      {handle}
      <ColumnChoice column={column} {...choice} note={column.disabled ? 'always shown' : ''} />
    </li>
  )
}

interface ColumnChoiceProps extends Omit<ColumnRowProps, 'onChange'> {
  onChange?: ColumnRowProps['onChange']
  note: string
}

const ColumnChoice = ({ column, checked, onChange, note }: ColumnChoiceProps) => (
  <label className={classes['choice']}>
    <input
      type="checkbox"
      checked={checked}
      disabled={column.disabled || onChange === undefined}
      onChange={(event) => onChange?.(event.currentTarget.checked)}
    />
    {column.label}
    {note !== '' && <span className={classes['note']}>{note}</span>}
  </label>
)
