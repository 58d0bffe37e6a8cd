import type { PageMeta } from '#contract/datatable.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import type { List } from './list.ts'
import { Pager, rangeText } from './pager.tsx'
import classes from './list-foot.module.css'

interface ListFootProps {
  label: string
  list: List
  format: ((sum: number, currency: string | null | undefined) => string) | undefined
}

/** What is always visible below the rows: the totals of all rows that match the filters, and the range with the pages. */
export function ListFoot({ label, list, format = formatNumber }: ListFootProps) {
  const { meta, windowed, slots, change } = list
  if (meta === undefined) return null
  // Rows that others have removed keep their place until the user shows the changes, but count no longer.
  const last = Math.min(slots.length, meta.total)
  const shown: PageMeta = windowed ? { ...meta, from: last === 0 ? null : 1, to: last, last_page: 1 } : meta
  const pager = <Pager meta={shown} label={label} onPage={(page) => change({ page })} />
  if (meta.totals === undefined || meta.total === 0) return pager
  const { one, many } = MODELS[list.model]
  const totals = list.offeredColumns.flatMap(({ src, label: name }) => {
    const sum = meta.totals?.[src]
    return sum === undefined ? [] : [{ name, text: meta.valued?.[src] === 0 ? '–' : format(sum, meta.currency) }]
  })
  return (
    <div className={classes['foot']} role="group" aria-label={`Totals of ${many}`}>
      <div>
        <strong>Total of {plural(meta.total, one, many)}</strong>
        {windowed ? (
          <span className={classes['range']} aria-live="polite">
            {rangeText(shown)}
          </span>
        ) : (
          pager
        )}
      </div>
      <dl className={classes['totals']}>
        {totals.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
