import { Button } from '@mantine/core'
import type { Column } from '#contract/datatable.ts'
import { PanelFooter, SidePanel } from '#web/engines/panel/side-panel.tsx'
import classes from './column-settings.module.css'

interface ColumnSettingsProps {
  columns: readonly Column[]
  chosen: Readonly<Record<string, boolean>>
  onChange: (chosen: Record<string, boolean>) => void
  onReset: () => void
  onClose: () => void
}

/** Which columns the table shows; each change counts at once and is remembered for the person. */
export function ColumnSettings({ columns, chosen, onChange, onReset, onClose }: ColumnSettingsProps) {
  return (
    <SidePanel title="Columns" size="small" onClose={onClose}>
      <ul className={classes['list']}>
        {columns.map((column) => (
          <li key={column.src}>
            <label className={classes['item']}>
              <input
                type="checkbox"
                checked={column.disabled || (chosen[column.src] ?? column.default)}
                disabled={column.disabled}
                onChange={(event) => onChange({ ...chosen, [column.src]: event.currentTarget.checked })}
              />
              {column.label}
              {column.disabled && <span className={classes['always']}>always shown</span>}
            </label>
          </li>
        ))}
      </ul>
      <PanelFooter>
        <Button variant="default" onClick={onReset}>
          Use the usual columns
        </Button>
        <Button onClick={onClose}>Done</Button>
      </PanelFooter>
    </SidePanel>
  )
}
