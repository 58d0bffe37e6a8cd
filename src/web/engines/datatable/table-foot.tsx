import type { Column } from '#contract/datatable.ts'
import { hasClass } from './visible-columns.ts'
import classes from './table.module.css'

interface TableFootProps {
  columns: readonly Column[]
  /** What stands under each column, by its src. */
  totals: Readonly<Record<string, string>>
  withCheck: boolean
  withMenu: boolean
}

/** Totals of the rows on this page, in view under them. */
export function TableFoot({ columns, totals, withCheck, withMenu }: TableFootProps) {
  return (
    <tfoot>
      <tr>
        {withCheck && <td className={classes['check']} />}
        {columns.map((column) =>
          column.primary ? (
            <th key={column.src} scope="row" className={classes['primary']}>
              Total of this page
            </th>
          ) : (
            <td key={column.src} className={hasClass(column, 'number') ? classes['number'] : undefined}>
              {totals[column.src]}
            </td>
          ),
        )}
        {withMenu && <td className={classes['menu']} />}
      </tr>
    </tfoot>
  )
}
