import classes from './table.module.css'

interface RowCheckboxProps {
  label: string
  checked: boolean
  mixed?: boolean
  onChange: () => void
}

/** The browser's own checkbox: a hundred of them cost nothing. */
export function RowCheckbox({ label, checked, mixed = false, onChange }: RowCheckboxProps) {
  return (
    <label className={classes['checkbox']}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={onChange}
        ref={(input) => {
          if (input) input.indeterminate = mixed
        }}
      />
    </label>
  )
}
