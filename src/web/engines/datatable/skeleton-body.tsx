import classes from './table.module.css'

/** More than the tallest screen shows. */
const MOST_ROWS = 60

/** Rows of the height that the real ones will have, as many of them as can be seen. */
export function SkeletonBody({ rows, columns }: { rows: number; columns: number }) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: Math.min(rows, MOST_ROWS) }, (_, row) => (
        <tr key={row}>
          {Array.from({ length: columns }, (__, column) => (
            <td key={column}>
              <span className={classes['bone']} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** The head until the columns are known: it holds the place of the real one. */
export function SkeletonHead({ columns }: { columns: number }) {
  return (
    <thead aria-hidden>
      <tr>
        {Array.from({ length: columns }, (_, column) => (
          <td key={column}>
            <span className={classes['bone']} />
          </td>
        ))}
      </tr>
    </thead>
  )
}
