import { Button } from '@mantine/core'
import { labelOf, type RowCommand } from './row-command.ts'
import classes from './toolbar.module.css'

interface SelectionBarProps {
  count: number
  commands: readonly RowCommand[]
  onCommand: (command: RowCommand) => void
  onClear: () => void
}

/** Takes the toolbar's place while rows are selected. */
export function SelectionBar({ count, commands, onCommand, onClear }: SelectionBarProps) {
  return (
    <div className={`${classes['toolbar'] ?? ''} ${classes['selected'] ?? ''}`} role="group" aria-label="Actions for the selection">
      <span className={classes['count']} role="status">
        {count.toLocaleString('en-US')} selected
      </span>
      {commands.map((command) => (
        <Button
          key={labelOf(command)}
          variant="default"
          {...(command.kind === 'trash' || command.kind === 'force' ? { c: 'var(--critical)' } : {})}
          onClick={() => onCommand(command)}
        >
          {labelOf(command)}
        </Button>
      ))}
      <span className={classes['grow']} />
      <Button variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  )
}
