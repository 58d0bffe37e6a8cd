import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import type { AccountRow } from '#contract/accounts.ts'
import type { CellRenderers } from '#web/engines/datatable/cells.tsx'
import classes from './account-cells.module.css'

const HEX = /^#[0-9a-f]{3,8}$/i

/** The status colour comes with the data; the name stands beside it. */
function StatusName({ row }: { row: AccountRow }) {
  const { text, class: color = '' } = row.status
  if (text === '') return <span aria-hidden>–</span>
  return (
    <span className={classes['status']} title={text}>
      <span className={classes['dot']} aria-hidden {...(HEX.test(color) ? { style: { backgroundColor: color } } : {})} />
      {text}
    </span>
  )
}

export const accountCells: CellRenderers<AccountRow> = {
  name: (row) => (
    <>
      {row.favorite && <IconStarFilled size={13} className={classes['star']} role="img" aria-label="Favorite" />}
      {row.name.text}
    </>
  ),
  status: (row) => <StatusName row={row} />,
}
