import { PAGE_SIZES } from '#contract/limits.ts'
import classes from './toolbar.module.css'

interface PerPageProps {
  value: number
  onChange: (perPage: number) => void
}

export function PerPage({ value, onChange }: PerPageProps) {
  const sizes = PAGE_SIZES.some((size) => size === value) ? PAGE_SIZES : [...PAGE_SIZES, value].toSorted((left, right) => left - right)
  return (
    <select
      className={classes['perPage']}
      aria-label="Rows per page"
      value={value}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    >
      {sizes.map((size) => (
        <option key={size} value={size}>
          {size} rows
        </option>
      ))}
    </select>
  )
}
