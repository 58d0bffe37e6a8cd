import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconTriangleFilled.mjs'
import { Fragment, type ReactNode } from 'react'
import { plural, sentenceCase } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import classes from './commit-bar.module.css'
import { amountText, fileRows, fileSumLabel, isTableOpen, leftOutAmount, lessTiv, statedTotal, unreadAmounts } from './import-labels.ts'
import { unmappedAmount, unmappedColumns, unmappedReason } from './left-out-labels.ts'

type Sums = NonNullable<Import['sums']>

/** The file = what will be imported + what stays out, next to the total that the file states. Dimmed while they are out of date. */
export function Sums({ data }: { data: Import }) {
  const { sums, questions, mode } = data
  if (sums === null) return <EmptySums />
  const { file, left_out: out, after } = sums
  const stated = statedTotal(data)
  const hasUnread = unreadAmounts(data) !== ''
  const columns = unmappedColumns(data)
  const asWritten = questions.some(({ constant }) => constant === 'factor') ? ', as written' : ''
  const byFirst = isTableOpen(data) ? ', all read by the first header' : ''
  const howRead = asWritten + byFirst
  const imported = sums.imported ?? {
    rows: file.rows - (out?.rows ?? 0),
    tiv: lessTiv(file.tiv, out?.tiv ?? null),
    currency: file.currency ?? after.currency,
  }
  // In the other modes, rows without errors may still be left out.
  const hasOnlyErrors = mode === 'add_and_update' || mode === 'full_replacement'
  const importedLabel = data.currency_conflict !== null ? 'Chosen rows' : hasOnlyErrors ? 'Will be imported' : 'Can be imported'
  return (
    <dl className={classes['sums']} data-stale={data.activity !== null || data.state === 'mapped' || data.register_changed || undefined}>
      <Amount label={fileSumLabel(data)} value={amountText(file)} note={fileRows(sums) + howRead} />
      <Amount operator="=" label={importedLabel} value={amountText(imported)} note={plural(imported.rows, 'location') + howRead} />
      {out !== null && (
        <Amount
          // Columns that are not imported are in no sum of rows.
          {...(out.rows === 0 && columns !== '' ? {} : { operator: '+' })}
          label="Stays out"
          // Nothing is in none of several currencies.
          value={sentenceCase(leftOutAmount(sums)) || unmappedAmount(data) || (file.currency === null ? '0' : amountText(out))}
          out={out.rows > 0 || hasUnread || columns !== ''}
          note={<LeftOutNotes data={data} rows={out.rows} />}
        />
      )}
      {stated !== null && <StatedAmount stated={stated} />}
    </dl>
  )
}

/** What stays out in rows, in single cells and in columns. */
function LeftOutNotes({ data, rows }: { data: Import; rows: number }) {
  const columns = unmappedColumns(data)
  const isPlural = data.unmapped_money.length > 1
  const reason = unmappedReason(data)
  const ofColumns =
    rows > 0 ? `Also ${unmappedAmount(data)} in ${columns}, ${reason}` : `No rows, but ${columns} ${isPlural ? 'are' : 'is'} ${reason}`
  const notes = [rows > 0 ? `${plural(rows, 'row')} will not be imported` : '', unreadAmounts(data), columns === '' ? '' : ofColumns]
  const shown = notes.filter((note) => note !== '')
  if (shown.length === 0) return 'No rows'
  return shown.map((note, index) => (
    <Fragment key={note}>
      {index > 0 && ' '}
      <OutNote>{note}</OutNote>
    </Fragment>
  ))
}

/** Before the first check. */
const EmptySums = () => (
  <dl className={classes['sums']}>
    {['In the file', 'Will be imported', 'Stays out'].map((label) => (
      <div key={label} className={classes['sum']}>
        <dt>{label}</dt>
        <dd className={classes['unknown']} aria-label="Not known yet" />
      </div>
    ))}
  </dl>
)

interface AmountProps {
  label: string
  value: string
  note: ReactNode
  operator?: string
  /** Amber: it does not reach the register. */
  out?: boolean
  /** After the equation, divided by a line. */
  stated?: boolean
  /** What the label leaves out. */
  details?: string
}

function Amount({ label, value, note, operator, out = false, stated = false, details = '' }: AmountProps) {
  return (
    <div className={classes['sum']} data-operator={operator} data-out={out || undefined} data-stated={stated || undefined}>
      <dt title={details || undefined}>{label}</dt>
      <dd className={classes['amount']}>{value}</dd>
      <dd className={classes['sumNote']}>{note}</dd>
    </div>
  )
}

/** The total that the file states, next to whether its rows agree. */
const StatedAmount = ({
  stated: { amount, source, only, names, agrees, isWhole, note },
}: {
  stated: NonNullable<ReturnType<typeof statedTotal>>
}) => (
  <Amount
    stated
    details={names}
    label={only === '' ? source : `${source}: ${only}`}
    value={amount}
    note={
      agrees && isWhole ? (
        <span className={classes['agrees']}>
          <IconCheck size={13} stroke={2.5} aria-hidden /> {note}
        </span>
      ) : (
        <OutNote>{note}</OutNote>
      )
    }
  />
)

const OutNote = ({ children }: { children: ReactNode }) => (
  <span className={classes['out']}>
    <IconTriangleFilled size={10} aria-hidden /> {children}
  </span>
)
