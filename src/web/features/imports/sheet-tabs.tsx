import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconPointFilled from '@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs'
import IconTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconTriangleFilled.mjs'
import { formatNumber, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import classes from './sheet-tabs.module.css'
import { useOpenImport } from './use-import.ts'

/** The sheets of the file below the rows, as in a spreadsheet program. A check marks those that are used. */
export function SheetTabs() {
  const { data, editable, patch } = useOpenImport()
  return (
    <div className={classes['bar']}>
      <div className={classes['sheets']} role="group" aria-label="Sheets of the file">
        {data.sheets.map(({ index, name, taken, note }) => {
          const sold = data.sold_sheets.find((sheet) => sheet.index === index && sheet.used)
          const used = taken || sold !== undefined
          return (
            <button
              key={index}
              type="button"
              className={classes['sheet']}
              aria-pressed={taken}
              disabled={!editable || used}
              title={used ? (note ?? undefined) : [note, 'Import this sheet instead'].filter(Boolean).join(' ')}
              onClick={() => patch({ sheet: index })}
            >
              {used && <IconCheck size={14} stroke={2.5} aria-label="Used:" />}
              <span className={classes['name']}>{name}</span>
              <span className={classes['count']}>{sold ? `${formatNumber(sold.found)} sold` : taken && locations(data)}</span>
            </button>
          )
        })}
      </div>
      <div className={classes['legend']} aria-hidden>
        <IconTriangleFilled size={10} className={classes['out']} /> Stays out
        <IconPointFilled size={14} className={classes['read']} /> Read differently
        <span className={classes['edited']} /> Edited
      </div>
    </div>
  )
}

/** Of the only selected sheet; several are counted together. */
const locations = ({ sums, state, sheets }: Import): string =>
  sums !== null && state === 'validated' && sheets.filter(({ taken }) => taken).length === 1 ? plural(sums.file.rows, 'location') : ''
