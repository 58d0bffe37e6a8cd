import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { FilterChip } from './filter-words.ts'
import classes from './filter-bar.module.css'

interface FilterBarProps {
  chips: readonly FilterChip[]
  onClear: (name: string) => void
  onClearAll: () => void
}

/** What narrows the list, each part clearable alone. */
export function FilterBar({ chips, onClear, onClearAll }: FilterBarProps) {
  if (chips.length === 0) return null
  return (
    <ul className={classes['bar']} aria-label="Filters in use">
      {chips.map((chip) => (
        <li key={chip.name} className={classes['chip']}>
          <span className={classes['words']}>
            <span className={classes['label']}>{chip.label}</span> {chip.words}
          </span>
          <button type="button" aria-label={`Clear filter ${chip.label} ${chip.words}`} onClick={() => onClear(chip.name)}>
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className={classes['all']} onClick={onClearAll}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}
