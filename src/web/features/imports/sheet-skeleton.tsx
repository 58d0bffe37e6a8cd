import classes from './import-workbench.module.css'

/** More than a tall screen shows. */
const ROWS = 40

/** The sheet before its rows are known, with as many columns as are known. */
export function SheetSkeleton({ label, columns }: { label: string; columns: number }) {
  const cells = Array.from({ length: columns }, (_, index) => <td key={index} />)
  return (
    <div className={classes['skeleton']} role="status" aria-label={label}>
      <table aria-hidden>
        <tbody>
          {Array.from({ length: ROWS }, (_, index) => (
            <tr key={index}>{cells}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
