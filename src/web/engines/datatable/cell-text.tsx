import type { Cell } from '#contract/datatable.ts'
import { SafeCellLink } from './row-link.tsx'
import classes from './table.module.css'

/** A cell as the server wrote it; cut off at the edge of its column, whole in its title. */
export function CellText({ cell }: { cell: Cell }) {
  if (cell.text === '') return <span aria-hidden>–</span>
  const text = (
    <span className={classes['clip']} title={cell.text} data-class={cell.class}>
      {cell.text}
    </span>
  )
  return cell.link === undefined ? text : <SafeCellLink to={cell.link}>{text}</SafeCellLink>
}
